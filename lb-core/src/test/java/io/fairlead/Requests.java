package io.fairlead;

import io.fairlead.health.Breaker;

/** Requests to servers that a test chooses, whatever the strategy. */
final class Requests {
    private Requests() {}

    static Pick begin(EndpointLoadBalancer balancer, Node node, long now) {
        node.state.begin(now);
        return new EndpointPick(balancer, node, now, null, Breaker.NO_PROBE);
    }
}
