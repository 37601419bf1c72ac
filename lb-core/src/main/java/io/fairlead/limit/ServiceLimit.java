package io.fairlead.limit;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests in flight at all servers of a service, and how many there may be.
 *
 * <p>Safe for use from any thread.
 */
public final class ServiceLimit {
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile int max;
    private volatile boolean turnedAway;

    /** Nothing in flight yet, and at most this much at a time. */
    public ServiceLimit(int max) {
        this.max = max;
    }

    /** Changes how many there may be; those above it end as they would. */
    public void limitTo(int other) {
        max = other;
    }

    /** Counts a request in, if there is room for it. */
    public boolean tryEnter() {
        while (true) {
            int before = inFlight.get();
            if (before >= max) {
                turnedAway = true;
                return false;
            }
            if (inFlight.compareAndSet(before, before + 1)) {
                return true;
            }
        }
    }

    /** Counts a request out that was counted in. */
    public void leave() {
        inFlight.decrementAndGet();
    }

    /**
     * Counts a request out that was counted in and then had no use for its place.
     *
     * @return whether another may have been refused for it meanwhile, which nobody would tell that there is room
     */
    public boolean leaveUnused() {
        inFlight.decrementAndGet();
        boolean missed = turnedAway;
        turnedAway = false;
        return missed;
    }

    /** Whether there is no room at this moment. */
    public boolean isFull() {
        return inFlight.get() >= max;
    }

    /** The requests that are counted in. */
    public int inFlight() {
        return inFlight.get();
    }
}
