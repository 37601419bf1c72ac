package io.fairlead.limit;

import io.fairlead.NoEndpointException;
import io.fairlead.Pick;
import io.fairlead.Scheduler;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one service that wait for a place, first come first served. Each time that a place may have become free
 * the one at the head tries for it; while it finds none nobody behind it does.
 *
 * <p>Safe for use from any thread. Requests are told outside of all locks.
 */
public final class WaitingLine {
    private static final Logger log = LoggerFactory.getLogger(WaitingLine.class);

    private final String service;
    private final Scheduler scheduler;
    /** More than 0: a thread is serving the line, and looks again for each of the others that came meanwhile. */
    private final AtomicInteger serving = new AtomicInteger();

    private volatile int capacity;
    private volatile long timeoutNanos;
    private volatile int size;

    // Guarded by this.
    private final Set<Ticket> tickets = new LinkedHashSet<>();
    private boolean closed;

    /** An empty line in which nobody may wait yet. */
    public WaitingLine(String service, Scheduler scheduler) {
        this.service = service;
        this.scheduler = scheduler;
    }

    /** Lets so many wait for so long from now on; those that wait already keep their time. */
    public void limitTo(int requests, long nanos) {
        timeoutNanos = nanos;
        capacity = requests;
    }

    /** The service whose places are waited for. */
    public String service() {
        return service;
    }

    /** Whether somebody may wait at all. */
    public boolean isOpen() {
        return capacity > 0;
    }

    /** How many wait. */
    public int size() {
        return size;
    }

    /**
     * Waits for a place.
     *
     * @param pick tries for a place; called by one thread at a time, and not any more once the request was told or left
     * @param isFull whether a pick that was refused may come about later; where not, the request is refused
     * @return null, and the entrant is not told: too many wait already
     */
    public @Nullable Ticket join(Supplier<@Nullable Pick> pick, BooleanSupplier isFull, Entrant entrant) {
        Ticket ticket = new Ticket(pick, isFull, entrant);
        synchronized (this) {
            if (closed || tickets.size() >= capacity) {
                return null;
            }
            tickets.add(ticket);
            size = tickets.size();
            ticket.timer = scheduler.schedule(() -> timedOut(ticket), timeoutNanos);
        }
        // A place may have become free before anybody stood in the line.
        moved();
        return ticket;
    }

    /** A place may have become free: serves the line from its head on. */
    public void moved() {
        if (size == 0 || serving.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            serve();
            seen = serving.addAndGet(-seen);
        } while (seen != 0);
    }

    private void serve() {
        while (true) {
            Ticket head;
            Pick pick;
            boolean isOver = false;
            synchronized (this) {
                Iterator<Ticket> all = tickets.iterator();
                if (!all.hasNext()) {
                    return;
                }
                head = all.next();
                try {
                    pick = head.pick.get();
                    if (pick == null && !head.isFull.getAsBoolean()) {
                        // Perhaps it was full until just now.
                        pick = head.pick.get();
                        isOver = pick == null && !head.isFull.getAsBoolean();
                    }
                } catch (RuntimeException | Error e) {
                    // Whatever it is: the others of the line are not to stand there until their time runs out.
                    log.error("service '{}': picking a server for a request that waited failed", service, e);
                    pick = null;
                    isOver = true;
                }
                if (pick == null && !isOver) {
                    return;
                }
                remove(head);
            }
            if (pick == null) {
                head.refuse(false);
            } else {
                head.admit(pick);
            }
        }
    }

    private void timedOut(Ticket ticket) {
        if (leave(ticket)) {
            ticket.refuse(true);
        }
    }

    private synchronized boolean leave(Ticket ticket) {
        return remove(ticket);
    }

    /** With the lock held. */
    private boolean remove(Ticket ticket) {
        if (!tickets.remove(ticket)) {
            return false;
        }
        size = tickets.size();
        Scheduler.Timer timer = ticket.timer;
        if (timer != null) {
            timer.cancel();
        }
        return true;
    }

    /** Refuses all that wait, and all that come. */
    public void close() {
        Ticket[] left;
        synchronized (this) {
            closed = true;
            left = tickets.toArray(new Ticket[0]);
            for (Ticket ticket : left) {
                remove(ticket);
            }
        }
        for (Ticket ticket : left) {
            ticket.refuse(false);
        }
    }

    @Override
    public String toString() {
        return "WaitingLine{" + service + ", " + size + "}";
    }

    /** The place of one request in the line. */
    public final class Ticket {
        private final Supplier<@Nullable Pick> pick;
        private final BooleanSupplier isFull;
        private final Entrant entrant;

        // Guarded by the line.
        private Scheduler.@Nullable Timer timer;

        private Ticket(Supplier<@Nullable Pick> pick, BooleanSupplier isFull, Entrant entrant) {
            this.pick = pick;
            this.isFull = isFull;
            this.entrant = entrant;
        }

        /**
         * Gives up waiting.
         *
         * @return false: the request has been told, or is being told in this moment
         */
        public boolean leave() {
            return WaitingLine.this.leave(this);
        }

        private void admit(Pick admitted) {
            try {
                entrant.admitted(admitted);
            } catch (RuntimeException | Error e) {
                log.error("service '{}': a request that had waited could not go on", service, e);
                admitted.cancel();
            }
        }

        private void refuse(boolean overloaded) {
            try {
                entrant.refused(new NoEndpointException(service, overloaded));
            } catch (RuntimeException | Error e) {
                log.error("service '{}': a request that had waited could not be refused", service, e);
            }
        }
    }
}
