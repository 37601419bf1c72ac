package io.fairlead;

import io.fairlead.health.EndpointHealth;
import io.fairlead.health.PassiveHealthCheck;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the ends of requests teach of the servers of one service: failures, backoff after failed connections, ejection.
 * Called on the requests' path: while all is well no lock is taken.
 */
final class Learning {
    private final Scheduler scheduler;
    private final Object lock;
    private final Supplier<Roster> roster;
    private final Runnable changed;

    private volatile @Nullable PassiveHealthCheck passive;

    /**
     * Begins to learn.
     *
     * @param lock is held where the servers are compared with each other
     * @param changed is run when a server has become usable or has ceased to be
     */
    Learning(Scheduler scheduler, Object lock, Supplier<Roster> roster, Runnable changed) {
        this.scheduler = scheduler;
        this.lock = lock;
        this.roster = roster;
        this.changed = changed;
    }

    /** Ejects by these limits from now on; null: not at all, and those that are out come back. */
    void ejectBy(@Nullable PassiveHealthCheck limits, Iterable<Node> nodes) {
        passive = limits;
        if (limits == null) {
            nodes.forEach(node -> node.state.health.forgetFailures());
        }
    }

    void learn(EndpointState state, Outcome outcome) {
        switch (outcome.kind()) {
            case SUCCESS:
                state.succeeded();
                if (state.health.succeeded()) {
                    changed.run();
                }
                break;
            case STALE:
            case CANCELLED:
                break;
            default:
                failed(state, outcome, scheduler.nanoTime());
                break;
        }
    }

    void connected(EndpointState state) {
        if (state.health.connected()) {
            changed.run();
        }
    }

    private void failed(EndpointState state, Outcome outcome, long now) {
        state.failed();
        state.lastError = outcome.toString();
        boolean isChanged = outcome.kind() == Outcome.Kind.CONNECT_FAILED
                ? state.health.connectFailed(now) > 0
                : state.health.connected();
        PassiveHealthCheck limits = passive;
        if (limits != null && state.health.failed(limits, now)) {
            isChanged |= eject(state, limits, now);
        }
        if (isChanged) {
            state.atExpiry(scheduler, () -> expire(state));
            changed.run();
        }
    }

    private boolean eject(EndpointState state, PassiveHealthCheck limits, long now) {
        synchronized (lock) {
            if (state.isRemoved() || state.health.isEjected()) {
                return false;
            }
            int total = 0;
            int out = 0;
            boolean anotherUsable = false;
            for (Node node : roster.get().nodes.values()) {
                if (node.weight() > 0) {
                    EndpointHealth health = node.state.health;
                    total++;
                    out += health.isEjected() ? 1 : 0;
                    anotherUsable |= node.state != state && !node.fenced() && health.isUsable();
                }
            }
            int most = limits.maxEjectedPercent() == 0 ? 0 : Math.max(1, total * limits.maxEjectedPercent() / 100);
            if (!anotherUsable || out >= most) {
                state.health.ejectionRefused();
                return false;
            }
            state.health.eject(limits, now);
            return true;
        }
    }

    private void expire(EndpointState state) {
        boolean isChanged = state.health.expire(scheduler.nanoTime());
        state.atExpiry(scheduler, () -> expire(state));
        if (isChanged) {
            changed.run();
        }
    }
}
