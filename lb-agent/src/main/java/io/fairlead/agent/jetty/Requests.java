package io.fairlead.agent.jetty;

import io.fairlead.RequestFacts;
import io.fairlead.agent.route.TargetFacts;
import org.jspecify.annotations.Nullable;

/** What requests tell of themselves; cookies of the client's store join them later. */
final class Requests {
    private Requests() {}

    static RequestFacts facts(Inside inside, Object request, String host) {
        @Nullable String query = inside.query(request);
        return new TargetFacts(
                inside.method(request),
                inside.path(request) + (query == null ? "" : "?" + query),
                host,
                TargetFacts.weakly(request, alive -> name -> inside.header(alive, name)));
    }
}
