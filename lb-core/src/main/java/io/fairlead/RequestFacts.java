package io.fairlead;

import org.jspecify.annotations.Nullable;

/**
 * What a hash key or a routing rule may ask of a request. Each adapter implements it over its own request without
 * copying; a method that is not overridden answers that the fact is not known.
 *
 * <p>An instance belongs to one request and need not be safe for use from several threads at once.
 */
public interface RequestFacts {
    /** A request of which nothing is known. */
    RequestFacts NONE = new RequestFacts() {
        @Override
        public String toString() {
            return "RequestFacts.NONE";
        }
    };

    /** The method in upper case ({@code GET}); empty where it is not known. */
    default String method() {
        return "";
    }

    /** The path as it came, percent-encoding untouched, without the query; empty where it is not known. */
    default String path() {
        return "";
    }

    /** The query as it came, without the question mark; null where there is none. */
    default @Nullable String query() {
        return null;
    }

    /** The host that the client named, without port; empty where it is not known. */
    default String host() {
        return "";
    }

    /** The first value of a header field, its name compared without case; null where the field is missing. */
    default @Nullable String header(String name) {
        return null;
    }

    /** The value of a cookie, its name compared with case; null where it is missing. */
    default @Nullable String cookie(String name) {
        return null;
    }

    /**
     * The value of a cookie that says on which server a client is to be kept; null where it is missing, and wherever
     * clients are not kept on servers, as everywhere but in a proxy.
     */
    default @Nullable String affinity(String cookie) {
        return null;
    }

    /**
     * One of several values of a cookie that says on which server a client is to be kept: a client that has the cookie for
     * several paths or domains sends all of them (RFC 6265, 5.4).
     *
     * @param index which of them, in their order; 0 is that of {@link #affinity(String)}
     * @return null where there are not so many
     */
    default @Nullable String affinity(String cookie, int index) {
        return index == 0 ? affinity(cookie) : null;
    }

    /** The client's address as text, without port; empty where it is not known. */
    default String remoteAddress() {
        return "";
    }
}
