package io.fairlead.servlet.middleware;

import io.fairlead.servlet.routing.PathForm;
import io.fairlead.servlet.routing.RouteFacts;
import org.jspecify.annotations.Nullable;

/** What redirects share: the URL that the client asked for, and the answer that sends it elsewhere. */
final class Redirects {
    private static final OwnAnswer NO_HOST = OwnAnswer.of(400, "The request names no host");
    private static final OwnAnswer BAD_TARGET = OwnAnswer.of(400, "The target of the request is malformed");

    private Redirects() {}

    /** Path and query as the client sent them, whatever has been made of them since. */
    static String target(RouteFacts facts) {
        String query = facts.query();
        return facts.contextPath() + facts.path() + (query == null ? "" : "?" + query);
    }

    /** The URL that the client asked for; null where it named no host, which has been answered then. */
    static @Nullable String url(RoutedRequest request) {
        if (request.facts().authority().isEmpty()) {
            request.answer(NO_HOST);
            return null;
        }
        return request.facts().scheme() + "://" + request.facts().authority() + target(request.facts());
    }

    /** Sends the client to another URL; the status is one that lets it keep its method, unless it is GET. */
    static void answer(RoutedRequest request, String location, boolean permanent) {
        String clean = PathForm.escaped(location).replace(" ", "%20");
        if (!FieldRules.isValue(clean)) {
            request.answer(BAD_TARGET);
            return;
        }
        boolean get = request.facts().method().equals("GET");
        int status = permanent ? (get ? 301 : 308) : (get ? 302 : 307);
        request.answer(OwnAnswer.empty(status).withField("Location", clean));
    }
}
