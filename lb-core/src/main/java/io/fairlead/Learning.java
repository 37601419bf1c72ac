package io.fairlead;

import io.fairlead.health.PassiveHealth;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.strategy.RandomSource;
import org.jspecify.annotations.Nullable;

/**
 * Takes over into the servers' states what the ends of requests teach, and sees to it that the roster follows: at once, and
 * again when a backoff, an ejection or the time of an open circuit breaker is over. Called on the requests' path: while all
 * is well no lock is taken.
 */
final class Learning {
    private static final int ERROR = 500;

    private final Scheduler scheduler;
    private final CurrentRoster roster;
    private final PassiveHealth<Node> health;

    /** Begins to learn. */
    Learning(Scheduler scheduler, CurrentRoster roster, RandomSource random) {
        this.scheduler = scheduler;
        this.roster = roster;
        health = new PassiveHealth<>(
                scheduler, roster.lock, () -> roster.get().nodes.values(), () -> random.nextInt(100), this::swept);
    }

    /** Ejects by these limits from now on; null: not at all, and those that are out come back. */
    void ejectBy(@Nullable PassiveHealthCheck limits) {
        health.ejectBy(limits);
    }

    void close() {
        health.close();
    }

    /**
     * Learns from the end of a request.
     *
     * @param probe what the server's circuit breaker said when it began
     * @param began when it began
     */
    void learn(EndpointState state, Outcome outcome, int probe, long began) {
        switch (outcome.kind()) {
            case SUCCESS:
                succeeded(state, outcome.status() >= ERROR, probe, began);
                break;
            case STALE:
            case CANCELLED:
                state.health.undecided(probe);
                break;
            default:
                failed(state, outcome, probe, began);
                break;
        }
    }

    void connected(EndpointState state) {
        if (state.health.connected()) {
            roster.changed();
        }
    }

    private void succeeded(EndpointState state, boolean isError, int probe, long began) {
        if (isError) {
            state.answeredWithError(scheduler.nanoTime());
        } else if (state.isTroubled()) {
            state.succeeded(scheduler.nanoTime());
        }
        if (health.succeeded(state.health, probe, began)) {
            roster.changed();
        }
    }

    private void failed(EndpointState state, Outcome outcome, int probe, long began) {
        long now = scheduler.nanoTime();
        state.failed(now);
        state.lastError = FailureText.of(outcome);
        if (health.failed(state.health, outcome.kind(), probe, began, now)) {
            expireInTime(state);
            roster.changed();
        }
    }

    private void swept(Node ejected) {
        expireInTime(ejected.state);
        roster.changed();
    }

    private void expireInTime(EndpointState state) {
        state.atExpiry(scheduler, () -> expire(state));
    }

    private void expire(EndpointState state) {
        boolean isChanged = state.health.expire(scheduler.nanoTime());
        expireInTime(state);
        if (isChanged) {
            roster.changed();
        }
    }
}
