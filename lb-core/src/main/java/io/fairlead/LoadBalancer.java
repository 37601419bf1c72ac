package io.fairlead;

import io.fairlead.observe.ServiceSnapshot;
import io.fairlead.retry.RetryBudget;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The load balancer of one service: picks a server for each request and learns from how the requests end.
 *
 * <p>Safe for use from any thread. A change that is made here holds for every pick that begins after the call returns;
 * requests under way are not touched.
 */
public interface LoadBalancer extends AutoCloseable {
    /**
     * Begins a load balancer without a configuration file.
     *
     * @param name the service's name, for messages and snapshots
     */
    static LoadBalancerBuilder builder(String name) {
        return new LoadBalancerBuilder(name);
    }

    /** The service's name. */
    String name();

    /**
     * Picks a server.
     *
     * @param request what is known of the request; {@link RequestFacts#NONE} where nothing is
     * @return the request under way; the caller ends it
     * @throws NoEndpointException no server can be used
     */
    default Pick pick(RequestFacts request) {
        Pick pick = tryPick(request, Tried.NONE);
        if (pick == null) {
            throw new NoEndpointException(name());
        }
        return pick;
    }

    /**
     * Picks a server that this request has not been sent to.
     *
     * @param tried the servers that it has been sent to
     * @return the request under way; null when no server can be used, when all that can have been tried, or as many of
     *     this service's as one request may try
     */
    @Nullable
    Pick tryPick(RequestFacts request, Tried tried);

    /** How often one request is sent at the most; tries on stale connections do not count. */
    int maxTries();

    /** What retries may cost this service. */
    RetryBudget retryBudget();

    /** Whether a server can be picked at this moment. */
    boolean isUp();

    /**
     * Adds a server, or replaces the one with the same id, whose state is kept.
     *
     * @throws UnsupportedOperationException this service is made of other services
     */
    void add(Endpoint endpoint);

    /**
     * Removes a server and forgets what was learnt of it; requests under way end as they would.
     *
     * @return false when no server has that id
     * @throws UnsupportedOperationException this service is made of other services
     */
    boolean remove(String id);

    /**
     * Replaces the whole list. Servers whose id stays keep their state.
     *
     * @throws IllegalArgumentException two of the endpoints have the same id
     * @throws UnsupportedOperationException this service is made of other services
     */
    void update(Collection<Endpoint> endpoints);

    /**
     * Drains a server: it gets no new request until {@link #unfence}, running ones end.
     *
     * @return false when no server has that id
     */
    boolean fence(String id);

    /**
     * Brings a drained server back, one that the configuration fences too.
     *
     * @return false when no server has that id
     */
    boolean unfence(String id);

    /** The state at this moment, immutable. */
    ServiceSnapshot snapshot();

    /** Ends checks and timers; picks still work, by what is known then. A second call does nothing. */
    @Override
    void close();
}
