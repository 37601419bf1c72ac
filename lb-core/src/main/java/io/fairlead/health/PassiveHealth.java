package io.fairlead.health;

import io.fairlead.Outcome;
import io.fairlead.Scheduler;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the ends of requests teach of the health of one service's servers: backoff after failed connections, circuit
 * breakers, and ejection by a {@link PassiveHealthCheck}.
 *
 * <p>Safe for use from any thread. Called on the requests' path: while all is well no lock is taken.
 *
 * @param <M> a server
 */
public final class PassiveHealth<M extends PassiveHealth.Member> {
    /** A server of the service. */
    public interface Member {
        /** Its health. */
        EndpointHealth health();

        /** Whether it counts as one of the servers: it does unless it has no weight. */
        boolean isCounted();

        /** Whether it is fenced. */
        boolean isFenced();
    }

    private final Scheduler scheduler;
    private final OutlierDetection<M> outliers;

    /**
     * Ejects nobody so far.
     *
     * @param lock is held where the servers are compared with each other, and where one is ejected
     * @param members the servers at the moment
     * @param percent chance, from 0 to 99
     * @param ejected told, under the lock, of each server that was ejected by a comparison with the others
     */
    public PassiveHealth(
            Scheduler scheduler,
            Object lock,
            Supplier<? extends Collection<M>> members,
            IntSupplier percent,
            Consumer<M> ejected) {
        this.scheduler = scheduler;
        outliers = new OutlierDetection<>(scheduler, lock, members, percent, ejected);
    }

    /** Ejects by this check from now on; null: not at all, and those that are out come back. */
    public void ejectBy(@Nullable PassiveHealthCheck check) {
        outliers.detectBy(check);
    }

    /** Ends the comparisons. */
    public void close() {
        outliers.close();
    }

    /**
     * A request succeeded.
     *
     * @param probe what the server's circuit breaker said when it began
     * @param began when it began
     * @return whether that may have changed whether the server can be used
     */
    public boolean succeeded(EndpointHealth health, int probe, long began) {
        outliers.succeeded(health);
        boolean isChanged = health.succeeded();
        Breaker breaker = health.breaker();
        if (breaker != null) {
            isChanged |= breaker.ended(probe, false, began, scheduler.nanoTime()) != null;
        }
        return isChanged;
    }

    /**
     * A request failed.
     *
     * @param kind a kind of failure
     * @param probe what the server's circuit breaker said when it began
     * @param began when it began
     * @return whether that may have changed whether the server can be used
     */
    public boolean failed(EndpointHealth health, Outcome.Kind kind, int probe, long began, long now) {
        boolean isChanged = kind == Outcome.Kind.CONNECT_FAILED ? health.connectFailed(now) > 0 : health.connected();
        isChanged |= outliers.failed(health, kind, now);
        Breaker breaker = health.breaker();
        if (breaker != null) {
            isChanged |= breaker.ended(probe, true, began, now) != null;
        }
        return isChanged;
    }
}
