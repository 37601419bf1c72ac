package io.fairlead.servlet.routing;

import io.fairlead.RequestFacts;
import java.util.Enumeration;
import java.util.List;

/** What rules ask of a request beyond what hash keys do. */
public interface RouteFacts extends RequestFacts {
    /** All values of a header field, its name compared without case; empty where the field is missing. */
    Enumeration<String> headers(String name);

    /**
     * The host with its port as the client named it; empty where it named none.
     */
    default String authority() {
        return host();
    }

    /** The scheme that the client uses, {@code http} or {@code https}, by the word of trusted proxies. */
    default String scheme() {
        return "http";
    }

    /** Whether the request comes from a proxy whose word is taken. */
    default boolean isPeerTrusted() {
        return false;
    }

    /** What stands before {@link #path()} in the client's URL: the web application's place; empty at the root. */
    default String contextPath() {
        return "";
    }

    /**
     * The addresses that a trusted peer tells the request to have come through, the client's first and the peer's own not
     * among them; what is no address may be. Empty where the peer is not trusted.
     */
    default List<String> forwardedFor() {
        return List.of();
    }
}
