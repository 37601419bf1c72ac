package io.fairlead;

import io.fairlead.limit.WaitingLine;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.ServiceSnapshot;
import io.fairlead.observe.StateListener;
import io.fairlead.retry.RetryBudget;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
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
     * @throws NoEndpointException no server can be used, or those that can be are at their limits
     */
    default Pick pick(RequestFacts request) {
        Pick pick = tryPick(request, Tried.NONE);
        if (pick == null) {
            throw new NoEndpointException(name(), isFull());
        }
        return pick;
    }

    /**
     * Picks a server that this request has not been sent to.
     *
     * @param tried the servers that it has been sent to
     * @return the request under way; null when no server can be used, when all that can have been tried or are at their
     *     limits, or as many of this service's have been tried as one request may try
     */
    @Nullable
    Pick tryPick(RequestFacts request, Tried tried);

    /**
     * Tells each server, in the order of the list, and how it is to be spoken to: of services made of services those of
     * their parts.
     */
    default void forEachServer(BiConsumer<EndpointSnapshot, ServiceSettings> told) {}

    /** How often one request is sent at the most; tries on stale connections do not count. */
    int maxTries();

    /** What retries may cost this service. */
    RetryBudget retryBudget();

    /** Whether a server can be picked at this moment. */
    boolean isUp();

    /**
     * Whether there are servers that can be used, and a request would find none only since they, or the service, are at
     * their limits; a circuit breaker that has its probes under way is such a limit. Looks at every server.
     */
    default boolean isFull() {
        return false;
    }

    /**
     * How long it takes until the first of the servers that are ejected, or whose circuit breaker is open, is tried again,
     * for whoever was refused by {@link NoEndpointException}. Looks at every server.
     *
     * @return nanoseconds; negative where no such time is known
     */
    default long nanosToNextServer() {
        return -1;
    }

    /** Where requests wait for a place while {@link #isFull()}; null: they do not wait. */
    default @Nullable WaitingLine waitingLine() {
        return null;
    }

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

    /**
     * Completes as soon as no request is under way to a server; for one that is fenced, or has been removed since, that
     * is for good. It is completed by the thread whose request ends last, so what follows on it must not block, or run
     * elsewhere ({@code thenRunAsync}).
     *
     * @throws IllegalArgumentException no server has that id
     */
    CompletionStage<Void> drained(String id);

    /**
     * Waits until no request is under way to a server; for one that is fenced, that is for good.
     *
     * @param timeout how long to wait at most, by the machine's clock; zero or less: only looks
     * @return false when the time ran out first
     * @throws IllegalArgumentException no server has that id
     * @throws InterruptedException the thread was interrupted
     */
    default boolean awaitDrained(String id, Duration timeout) throws InterruptedException {
        try {
            drained(id)
                    .toCompletableFuture()
                    .get(timeout.isNegative() ? 0 : Ticker.bounded(timeout).toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** The state at this moment, immutable; taken without holding up picks or what they teach. */
    ServiceSnapshot snapshot();

    /**
     * Adds a listener, which hears of changes from now on. One of a service that is made of services hears when that
     * service as a whole comes up or goes down, and no more.
     */
    void addListener(StateListener listener);

    /** Takes a listener back; does nothing where there is no such. */
    void removeListener(StateListener listener);

    /** Ends checks and timers; picks still work, by what is known then. A second call does nothing. */
    @Override
    void close();
}
