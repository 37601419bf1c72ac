package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.retry.Attempts;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange asks of which service: the client's request of the router's service; or, when that has come to an
 * answer that is to be replaced, another service for a page.
 *
 * @param balancer the service
 * @param attempts the tries on its servers
 * @param method the method
 * @param path the path, without the servers' base path
 * @param query the query, without the question mark; null: none
 * @param replaced the answer in whose place the page is put; null: this is the client's own request
 * @param hooksLeft how many hooks have not seen that answer
 */
record Leg(
        LoadBalancer balancer,
        Attempts attempts,
        String method,
        String path,
        @Nullable String query,
        @Nullable Head replaced,
        int hooksLeft) {
    /** What a page is not asked with, since it means the other resource or its body. */
    private static final List<String> NOT_OF_PAGES = List.of(
            "Range",
            "If-Range",
            "If-Match",
            "If-None-Match",
            "If-Modified-Since",
            "If-Unmodified-Since",
            "Content-Type",
            "Content-Encoding",
            "Content-Language",
            "Transfer-Encoding");

    static Leg of(LoadBalancer balancer, ServletFacts facts, Routed routed) {
        return new Leg(
                balancer,
                Attempts.of(balancer, facts, routed.retries()),
                facts.method(),
                routed.path(),
                routed.query(),
                null,
                0);
    }

    static Leg page(LoadBalancer balancer, ServletFacts facts, Head.Page page, Head replaced, int hooksLeft) {
        String method = facts.method().equals("HEAD") ? "HEAD" : "GET";
        PageFacts asked = new PageFacts(facts, method, page.path(), page.query());
        return new Leg(balancer, Attempts.of(balancer, asked), method, page.path(), page.query(), replaced, hooksLeft);
    }

    boolean isPage() {
        return replaced != null;
    }

    static void removeWhatIsNotOfPages(HttpFields.Mutable fields) {
        NOT_OF_PAGES.forEach(fields::remove);
    }
}
