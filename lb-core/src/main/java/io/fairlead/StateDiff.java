package io.fairlead;

import io.fairlead.health.Breaker;
import io.fairlead.health.EndpointHealth;
import io.fairlead.observe.Listeners;
import io.fairlead.observe.StateChange;
import io.fairlead.observe.StateChange.Kind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds what has changed of the servers' states since it was last told, and notes it for the listeners. It looks when a
 * new roster is in place, so that what is told is what picks go by, whoever brought it about; a change that was undone
 * before that is none. Under the load balancer's lock.
 */
final class StateDiff {
    /** Nothing was told of a server yet. */
    static final int NOTHING = -1;

    private static final int DOWN = 1;
    private static final int EJECTED = 2;
    private static final int FENCED = 4;
    private static final int OPEN = 8;
    private static final int HALF_OPEN = 16;
    private static final int UNUSABLE = DOWN | EJECTED | OPEN;

    private final String service;
    private final Ticker ticker;
    private final Listeners listeners;

    StateDiff(String service, Ticker ticker, Listeners listeners) {
        this.service = service;
        this.ticker = ticker;
        this.listeners = listeners;
    }

    /** Notes what has changed of these servers. */
    void note(Iterable<Node> nodes) {
        for (Node node : nodes) {
            EndpointState state = node.state;
            int now = bits(node);
            int before = state.told;
            if (now == before) {
                continue;
            }
            state.told = now;
            if (before == NOTHING) {
                state.since = ticker.nanoTime();
                continue;
            }
            int changed = now ^ before;
            if ((now & UNUSABLE) == 0 != ((before & UNUSABLE) == 0)) {
                state.since = ticker.nanoTime();
            }
            if ((changed & DOWN) != 0) {
                boolean isDown = (now & DOWN) != 0;
                note(node, isDown ? Kind.ENDPOINT_DOWN : Kind.ENDPOINT_UP, isDown ? state.checkError : null);
            }
            if ((changed & EJECTED) != 0) {
                boolean isOut = (now & EJECTED) != 0;
                note(node, isOut ? Kind.ENDPOINT_EJECTED : Kind.ENDPOINT_RETURNED, isOut ? ejection(state) : null);
            }
            if ((changed & (OPEN | HALF_OPEN)) != 0) {
                boolean isOpen = (now & OPEN) != 0;
                Kind kind = isOpen
                        ? Kind.BREAKER_OPEN
                        : (now & HALF_OPEN) != 0 ? Kind.BREAKER_HALF_OPEN : Kind.BREAKER_CLOSED;
                note(node, kind, isOpen ? "last failure: " + state.lastError : null);
            }
            if ((changed & FENCED) != 0) {
                note(node, (now & FENCED) != 0 ? Kind.ENDPOINT_FENCED : Kind.ENDPOINT_UNFENCED, null);
            }
        }
    }

    private String ejection(EndpointState state) {
        long nanos = state.health.ejectedNanos(ticker.nanoTime());
        return "for " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms for " + state.health.ejectedFor()
                + ", last failure: " + state.lastError;
    }

    private void note(Node node, Kind kind, @Nullable String reason) {
        listeners.note(StateChange.ofEndpoint(kind, service, node.endpoint, reason));
    }

    private static int bits(Node node) {
        EndpointHealth health = node.state.health;
        Breaker breaker = health.breaker();
        Breaker.State circuit = breaker == null ? Breaker.State.CLOSED : breaker.state();
        return (health.isDown() ? DOWN : 0)
                | (health.isEjected() ? EJECTED : 0)
                | (circuit == Breaker.State.OPEN ? OPEN : 0)
                | (circuit == Breaker.State.HALF_OPEN ? HALF_OPEN : 0)
                | (node.fenced() ? FENCED : 0);
    }
}
