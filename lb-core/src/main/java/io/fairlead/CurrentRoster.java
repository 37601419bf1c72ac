package io.fairlead;

import io.fairlead.limit.WaitingLine;
import io.fairlead.observe.Listeners;
import io.fairlead.observe.StateChange;
import io.fairlead.strategy.RandomSource;
import io.fairlead.strategy.RecentFailures;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roster that a service is picked from at this moment, and how a new one takes its place. Picks read it without a
 * lock; changes are made one at a time under {@link #lock}, and listeners hear of them when that is free again. Of a long
 * list a burst of changes makes one new roster, by the timer's thread.
 */
final class CurrentRoster {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancer.class);
    /** Up to so many endpoints a roster is rebuilt by the thread whose request changed it; above, by the timer's. */
    private static final int REBUILD_AT_ONCE = 256;

    /** Held by whoever changes the service or its servers. */
    final Object lock = new Object();

    final Listeners listeners = new Listeners();
    /** Of all servers, also of those that no roster has yet. */
    final RecentFailures recentFailures = RecentFailures.counted();

    private final String service;
    private final Scheduler scheduler;
    private final RandomSource random;
    private final PickClock clock;
    private final WaitingLine line;
    private final StateDiff diff;
    private final WarmUps warmUps;

    private volatile Roster roster = Roster.empty();
    // Written under the lock.
    private volatile Balancing balancing;
    private volatile boolean closed;

    // Guarded by the lock.
    private boolean rebuildScheduled;
    private boolean begun;

    /**
     * No servers so far.
     *
     * @param clock the time for the pickers
     * @param line looks for a place when there is a new roster
     */
    CurrentRoster(
            String service,
            Balancing balancing,
            Scheduler scheduler,
            RandomSource random,
            PickClock clock,
            WaitingLine line) {
        this.service = service;
        this.balancing = balancing;
        this.scheduler = scheduler;
        this.random = random;
        this.clock = clock;
        this.line = line;
        diff = new StateDiff(service, scheduler, listeners);
        warmUps = new WarmUps(scheduler, this::warmUp);
    }

    Roster get() {
        return roster;
    }

    Balancing balancing() {
        return balancing;
    }

    boolean isClosed() {
        return closed;
    }

    /** Something has changed of what makes servers usable; from any thread. */
    void changed() {
        if (closed) {
            return;
        }
        synchronized (lock) {
            if (roster.nodes.size() <= REBUILD_AT_ONCE) {
                rebuildOrStay();
            } else if (!rebuildScheduled) {
                rebuildScheduled = true;
                scheduler.schedule(this::rebuildLater, 0);
            }
        }
        tell();
    }

    private void rebuildLater() {
        synchronized (lock) {
            rebuildScheduled = false;
            rebuildOrStay();
        }
        tell();
    }

    /** Tells the listeners what has been noted, never under the lock. */
    void tell() {
        if (listeners.hasNews()) {
            if (Thread.holdsLock(lock)) {
                scheduler.schedule(listeners::tell, 0);
            } else {
                listeners.tell();
            }
        }
    }

    /** A step of the servers that warm up, by the timer. */
    private void warmUp() {
        synchronized (lock) {
            if (!closed && warmUps.isDue()) {
                rebuildOrStay();
                warmUps.follow(roster.nodes.values(), balancing.slowStart());
            }
        }
        tell();
    }

    /**
     * For changes that no caller has asked for: a request must not fail for a strategy of the user's own that does. With
     * the lock held.
     */
    void rebuildOrStay() {
        try {
            rebuild(roster.nodes, balancing);
        } catch (RuntimeException e) {
            log.error("service '{}' stays as it was: its strategy '{}' fails", service, balancing.strategy.name(), e);
        }
    }

    /**
     * Puts a roster of these servers into place, picked from in this way from now on. With the lock held.
     *
     * @throws RuntimeException the strategy, one of the user's own, has failed, and nothing has changed
     */
    void rebuild(Map<String, Node> nodes, Balancing by) {
        Roster before = roster;
        WarmWeights weights = warmUps.look(nodes.values(), by.slowStart());
        Roster sequences = by.strategy == balancing.strategy ? before : before.withoutSequences();
        Roster next = new RosterBuilder(sequences, by.strategy, by.levels, weights, clock, random, recentFailures)
                .build(nodes);
        balancing = by;
        // A server is let in before a roster has it, and barred after a roster has it no more: a pick that is turned
        // away then finds another at once.
        letIn(nodes.values());
        roster = next;
        bar(nodes.values());
        diff.note(nodes.values());
        if (!closed) {
            warmUps.follow(nodes.values(), by.slowStart());
        }
        if (line.size() > 0) {
            scheduler.schedule(line::moved, 0);
        }
        if (begun && before.isUp() != next.isUp()) {
            listeners.note(StateChange.ofService(service, next.isUp()));
        }
        begun = true;
    }

    private static void letIn(Iterable<Node> nodes) {
        for (Node node : nodes) {
            if (node.state.barred && !node.fenced()) {
                node.state.barred = false;
            }
        }
    }

    private static void bar(Iterable<Node> nodes) {
        for (Node node : nodes) {
            if (!node.state.barred && node.fenced()) {
                node.state.barred = true;
            }
        }
    }

    /** No change makes a new roster any more but those that are asked for. With the lock held. */
    void close() {
        closed = true;
        warmUps.cancel();
        roster.nodes.values().forEach(node -> node.state.remove());
    }
}
