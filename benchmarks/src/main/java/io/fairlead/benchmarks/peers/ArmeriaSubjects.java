package io.fairlead.benchmarks.peers;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.endpoint.EndpointGroup;
import com.linecorp.armeria.client.endpoint.EndpointSelectionStrategy;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Subject;
import java.util.ArrayList;
import java.util.List;

/** Armeria's endpoint selection strategies. */
public final class ArmeriaSubjects {
    private ArmeriaSubjects() {}

    /** {@link EndpointSelectionStrategy#roundRobin}. */
    public static Subject roundRobin(Fleet fleet) {
        return selecting(EndpointSelectionStrategy.roundRobin(), fleet);
    }

    /** {@link EndpointSelectionStrategy#weightedRoundRobin}: each server's turns in a row, as {@code round-robin} here. */
    public static Subject weighted(Fleet fleet) {
        return selecting(EndpointSelectionStrategy.weightedRoundRobin(), fleet);
    }

    private static Subject selecting(EndpointSelectionStrategy strategy, Fleet fleet) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < fleet.size(); i++) {
            endpoints.add(Endpoint.of(fleet.host(i), fleet.port()).withWeight(fleet.weight(i)));
        }
        EndpointGroup group = EndpointGroup.of(strategy, endpoints);
        ClientRequestContext context = ClientRequestContext.of(HttpRequest.of(HttpMethod.GET, "/"));
        return key -> group.selectNow(context);
    }
}
