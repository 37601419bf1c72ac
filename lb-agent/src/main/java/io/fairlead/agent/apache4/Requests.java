package io.fairlead.agent.apache4;

import io.fairlead.RequestFacts;
import io.fairlead.agent.route.TargetFacts;
import org.apache.http.Header;
import org.apache.http.HttpRequest;

/** What requests tell of themselves, cookies of the client's store among it. */
final class Requests {
    private Requests() {}

    static RequestFacts facts(HttpRequest request, String host) {
        return new TargetFacts(
                request.getRequestLine().getMethod(),
                request.getRequestLine().getUri(),
                host,
                TargetFacts.weakly(request, alive -> name -> {
                    Header header = alive.getFirstHeader(name);
                    return header == null ? null : header.getValue();
                }));
    }
}
