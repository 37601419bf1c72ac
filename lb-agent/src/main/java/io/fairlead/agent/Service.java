package io.fairlead.agent;

import io.fairlead.LoadBalancer;
import java.util.List;

/**
 * One service, as the agent uses it.
 *
 * <p>Safe for use from any thread.
 */
public final class Service {
    private final LoadBalancer balancer;
    private final List<String> leftOut;
    private volatile boolean told;

    Service(LoadBalancer balancer, List<String> leftOut) {
        this.balancer = balancer;
        this.leftOut = leftOut;
    }

    /** The service's name, as the file spells it. */
    public String name() {
        return balancer.name();
    }

    /** Its load balancer, to be used for a call; at the first time, tells of the servers that were left out. */
    public LoadBalancer balancer() {
        if (!told) {
            told = true;
            leftOut.forEach(Log::once);
        }
        return balancer;
    }
}
