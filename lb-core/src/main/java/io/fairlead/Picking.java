package io.fairlead;

import io.fairlead.health.Breaker;
import io.fairlead.limit.ServiceLimit;
import io.fairlead.limit.WaitingLine;
import io.fairlead.sticky.Affinity;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Takes a server from the current roster for each request: the one that the client is kept on, else that of the strategy,
 * unless it is full. Takes no lock; safe for use from any thread.
 */
final class Picking {
    /** So many full servers the strategy may name before the one with the most room is looked for. */
    private static final int MAX_PASSED = 4;

    private final EndpointLoadBalancer balancer;
    private final CurrentRoster roster;
    private final Scheduler scheduler;
    private final PickClock clock;
    private final WaitingLine line;

    // Written under the roster's lock.
    /** Null: nothing is guarded, which costs a pick nothing. */
    private volatile @Nullable Guards guards;
    /** Which cookie means which server; null: clients are not kept on servers. */
    private volatile @Nullable Affinity affinity;

    /** Picks for this load balancer, unguarded, and keeps nobody so far. */
    Picking(
            EndpointLoadBalancer balancer,
            CurrentRoster roster,
            Scheduler scheduler,
            PickClock clock,
            WaitingLine line) {
        this.balancer = balancer;
        this.roster = roster;
        this.scheduler = scheduler;
        this.clock = clock;
        this.line = line;
    }

    /** A request that has been begun; null when there is no server for it. */
    @Nullable
    Pick pick(RequestFacts request, Tried tried) {
        long now = scheduler.nanoTime();
        clock.tell(now);
        Guards limits = guards;
        Pick pick = limits == null ? pickFree(request, tried, now) : pickGuarded(limits, request, tried, now);
        Affinity keeping = affinity;
        return keeping == null || pick == null
                ? pick
                : keeping.stick(pick, pick.endpoint().id(), request);
    }

    private @Nullable Pick pickFree(RequestFacts request, Tried tried, long now) {
        while (true) {
            Node node = choose(request, tried);
            if (node == null) {
                return null;
            }
            node.state.begin(now);
            // After it has been counted: whoever waits for a fenced server to drain either sees it or turns it away.
            if (!node.state.barred) {
                return new EndpointPick(balancer, node, now, null, Breaker.NO_PROBE);
            }
            node.state.withdraw();
        }
    }

    /** A server that is full is passed over as if it had been tried. */
    private @Nullable Pick pickGuarded(Guards limits, RequestFacts request, Tried tried, long now) {
        ServiceLimit service = limits.service();
        if (service != null && !service.tryEnter()) {
            return null;
        }
        Pick pick = null;
        try {
            pick = pickWithRoom(limits, request, tried, now);
            return pick;
        } finally {
            if (pick == null && service != null && service.leaveUnused() && line.size() > 0) {
                // Not from here, which may be within the line or within that of another service.
                scheduler.schedule(line::moved, 0);
            }
        }
    }

    private @Nullable Pick pickWithRoom(Guards limits, RequestFacts request, Tried tried, long now) {
        int most = limits.perServer();
        Tried passed = tried;
        for (int i = 0; i < MAX_PASSED; i++) {
            Node node = choose(request, passed);
            if (node == null) {
                return null;
            }
            int probe = tryBegin(node, now, most);
            if (probe != Breaker.REFUSED) {
                return new EndpointPick(balancer, node, now, limits.service(), probe);
            }
            passed = passed == tried ? tried.copy() : passed;
            passed.add(node.id());
        }
        // To ask the strategy again for each of many servers would cost more than its wish is worth now.
        while (true) {
            Node node = roster.get().roomiest(tried, most);
            if (node == null) {
                return null;
            }
            int probe = tryBegin(node, now, most);
            if (probe != Breaker.REFUSED) {
                return new EndpointPick(balancer, node, now, limits.service(), probe);
            }
        }
    }

    private static int tryBegin(Node node, long now, int most) {
        int probe = node.state.tryBegin(now, most);
        if (probe != Breaker.REFUSED && node.state.barred) {
            node.state.withdraw(probe);
            return Breaker.REFUSED;
        }
        return probe;
    }

    /** The server that the client is kept on while it can be used, else that of the strategy. */
    private @Nullable Node choose(RequestFacts request, Tried tried) {
        Roster current = roster.get();
        Affinity keeping = affinity;
        Node kept = keeping == null ? null : keeping.find(request, id -> KeptServer.find(current, id, tried));
        return kept == null ? current.pick(request, tried) : kept;
    }

    /** Whether there are servers that can be used, and none of them has room. */
    boolean isFull() {
        Guards limits = guards;
        Roster current = roster.get();
        if (limits == null || !current.isUp()) {
            return false;
        }
        ServiceLimit service = limits.service();
        return (service != null && service.isFull()) || current.roomiest(Tried.NONE, limits.perServer()) == null;
    }

    /** Requests in flight at one server at most, as configured; {@link Integer#MAX_VALUE}: any number. */
    int mostPerServer() {
        Guards limits = guards;
        return limits == null ? Integer.MAX_VALUE : limits.perServer();
    }

    /** Guards the servers in this way from now on. With the roster's lock held. */
    void guardBy(LoadBalancerBuilder described) {
        Guards next = new Guards(described.limits, described.adaptiveLimit, described.circuitBreaker, guards);
        guards = next.isNone() ? null : next;
        line.limitTo(described.limits.queue(), described.limits.queueTimeout().toNanos());
        long now = scheduler.nanoTime();
        roster.get().nodes.values().forEach(node -> next.equip(node.state, now));
    }

    /** Guards one server more. With the roster's lock held. */
    void guard(EndpointState state) {
        Guards limits = guards;
        if (limits != null) {
            limits.equip(state, scheduler.nanoTime());
        }
    }

    /**
     * Keeps clients in this way from now on; the values of the same cookie are not made anew. With the roster's lock held.
     *
     * @param next null: clients are not kept
     */
    void keepBy(@Nullable Affinity next) {
        Affinity before = affinity;
        if (next == null || before == null || !next.isLike(before)) {
            affinity = next == null ? null : next.with(roster.get().nodes.keySet());
        }
    }

    /** Keeps clients on servers of these ids from now on. With the roster's lock held. */
    void keepOn(Collection<String> ids) {
        Affinity keeping = affinity;
        affinity = keeping == null ? null : keeping.with(ids);
    }
}
