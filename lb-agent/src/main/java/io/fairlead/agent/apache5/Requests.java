package io.fairlead.agent.apache5;

import io.fairlead.RequestFacts;
import io.fairlead.agent.route.TargetFacts;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;

/** What requests tell of themselves, cookies of the client's store among it. */
final class Requests {
    private static final String LENGTH = "Content-Length";
    private static final String ENCODING = "Transfer-Encoding";

    private Requests() {}

    static RequestFacts facts(HttpRequest request, String host) {
        return new TargetFacts(
                request.getMethod(),
                request.getPath() == null ? "/" : request.getPath(),
                host,
                TargetFacts.weakly(request, alive -> name -> {
                    Header header = alive.getFirstHeader(name);
                    return header == null ? null : header.getValue();
                }));
    }

    /** Whether a request says already how long its body is: in older versions before a try, in newer ones within it. */
    static boolean saysLength(HttpRequest request) {
        return request.containsHeader(LENGTH) || request.containsHeader(ENCODING);
    }

    /** Takes out what a try has said of the body's length, which the next one does not expect. */
    static void forgetLength(HttpRequest request) {
        request.removeHeaders(LENGTH);
        request.removeHeaders(ENCODING);
    }
}
