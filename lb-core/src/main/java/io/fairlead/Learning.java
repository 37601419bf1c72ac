package io.fairlead;

import io.fairlead.health.Breaker;
import io.fairlead.health.OutlierDetection;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.strategy.RandomSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the ends of requests teach of the servers of one service: failures, backoff after failed connections, ejection,
 * circuit breakers. Called on the requests' path: while all is well no lock is taken.
 */
final class Learning {
    private static final int ERROR = 500;

    private final Scheduler scheduler;
    private final Runnable changed;
    private final OutlierDetection<Node> outliers;

    /**
     * Begins to learn.
     *
     * @param lock is held where the servers are compared with each other
     * @param changed is run when a server has become usable or has ceased to be
     */
    Learning(Scheduler scheduler, Object lock, Supplier<Roster> roster, RandomSource random, Runnable changed) {
        this.scheduler = scheduler;
        this.changed = changed;
        outliers = new OutlierDetection<>(
                scheduler, lock, () -> roster.get().nodes.values(), () -> random.nextInt(100), this::swept);
    }

    /** Ejects by these limits from now on; null: not at all, and those that are out come back. */
    void ejectBy(@Nullable PassiveHealthCheck limits) {
        outliers.detectBy(limits);
    }

    void close() {
        outliers.close();
    }

    /**
     * Learns from the end of a request.
     *
     * @param probe what the server's circuit breaker said when it began
     */
    void learn(EndpointState state, Outcome outcome, int probe) {
        switch (outcome.kind()) {
            case SUCCESS:
                succeeded(state, outcome.status() >= ERROR, probe);
                break;
            case STALE:
            case CANCELLED:
                Breaker breaker = state.health.breaker();
                if (probe != Breaker.NO_PROBE && breaker != null) {
                    breaker.returned(probe);
                }
                break;
            default:
                failed(state, outcome, probe, scheduler.nanoTime());
                break;
        }
    }

    void connected(EndpointState state) {
        if (state.health.connected()) {
            changed.run();
        }
    }

    private void succeeded(EndpointState state, boolean isError, int probe) {
        if (isError) {
            state.answeredWithError(scheduler.nanoTime());
        } else if (state.isTroubled()) {
            state.succeeded(scheduler.nanoTime());
        }
        outliers.succeeded(state.health);
        boolean isChanged = state.health.succeeded();
        Breaker breaker = state.health.breaker();
        if (breaker != null) {
            isChanged |= breaker.ended(probe, false, scheduler.nanoTime()) != null;
        }
        if (isChanged) {
            changed.run();
        }
    }

    private void failed(EndpointState state, Outcome outcome, int probe, long now) {
        state.failed(now);
        state.lastError = FailureText.of(outcome);
        boolean isChanged = outcome.kind() == Outcome.Kind.CONNECT_FAILED
                ? state.health.connectFailed(now) > 0
                : state.health.connected();
        isChanged |= outliers.failed(state.health, outcome.kind(), now);
        Breaker breaker = state.health.breaker();
        if (breaker != null) {
            isChanged |= breaker.ended(probe, true, now) != null;
        }
        if (isChanged) {
            expireInTime(state);
            changed.run();
        }
    }

    private void swept(Node ejected) {
        expireInTime(ejected.state);
        changed.run();
    }

    private void expireInTime(EndpointState state) {
        state.atExpiry(scheduler, () -> expire(state));
    }

    private void expire(EndpointState state) {
        long now = scheduler.nanoTime();
        boolean isChanged = state.health.expire(now);
        Breaker breaker = state.health.breaker();
        if (breaker != null) {
            isChanged |= breaker.expire(now);
        }
        expireInTime(state);
        if (isChanged) {
            changed.run();
        }
    }
}
