package io.fairlead.agent.apache5;

import io.fairlead.RequestFacts;
import io.fairlead.agent.route.TargetFacts;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;

/** What requests tell of themselves, cookies of the client's store among it. */
final class Requests {
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
}
