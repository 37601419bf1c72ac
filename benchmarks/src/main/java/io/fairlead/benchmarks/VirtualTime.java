package io.fairlead.benchmarks;

import io.fairlead.Scheduler;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until it is moved, and the timers that run by it: what is due runs in the order of its moment,
 * and of two that are due at the same moment the one that was scheduled first. So a run that begins the same goes the
 * same, on every machine.
 *
 * <p>Belongs to one thread at a time. Nothing that blocks can be run: there is nobody to wait for.
 */
public final class VirtualTime implements Scheduler {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long scheduled;
    private boolean closed;

    /** Time that begins at 0. */
    public VirtualTime() {}

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        Event event = new Event(now + Math.max(0, delayNanos), scheduled++, task);
        if (!closed) {
            events.add(event);
        }
        return event;
    }

    /** Runs what is due up to this moment, each at its own, and stands there; a moment that has passed changes nothing. */
    public void moveTo(long nanos) {
        while (!events.isEmpty() && events.peek().at <= nanos) {
            runNext();
        }
        now = Math.max(now, nanos);
    }

    /** Moves on to the next event, whether or not it has been cancelled; false when there is none. */
    public boolean runNext() {
        Event event = events.poll();
        if (event == null) {
            return false;
        }
        Runnable task = event.task;
        if (task != null) {
            event.task = null;
            now = event.at;
            task.run();
        }
        return true;
    }

    @Override
    public Executor files() {
        return blocking();
    }

    @Override
    public Executor blocking() {
        return task -> {
            throw new UnsupportedOperationException("nothing blocks in virtual time");
        };
    }

    @Override
    public void close() {
        closed = true;
        events.clear();
    }

    private static final class Event implements Timer, Comparable<Event> {
        private final long at;
        private final long order;
        private @Nullable Runnable task;

        Event(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }

        @Override
        public void cancel() {
            // It stays in the queue, from which taking it out would cost more than passing over it.
            task = null;
        }
    }
}
