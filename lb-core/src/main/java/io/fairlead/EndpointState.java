package io.fairlead;

import io.fairlead.health.EndpointHealth;
import io.fairlead.strategy.RecentFailures;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What is learnt of one endpoint id: outlives updates of the list, and dies with the id.
 *
 * <p>What picks read stands in fields of this object, and not in objects of their own: with thousands of servers each
 * step from object to object is a wait for memory.
 */
final class EndpointState {
    private static final AtomicIntegerFieldUpdater<EndpointState> IN_FLIGHT =
            AtomicIntegerFieldUpdater.newUpdater(EndpointState.class, "inFlight");
    private static final AtomicIntegerFieldUpdater<EndpointState> RECENT_FAILURES =
            AtomicIntegerFieldUpdater.newUpdater(EndpointState.class, "recentFailures");
    private static final AtomicLongFieldUpdater<EndpointState> LATENCY =
            AtomicLongFieldUpdater.newUpdater(EndpointState.class, "latency");
    /** In place of the recent failures of a server that has left: nothing of it counts any more. */
    private static final int GONE = -1;

    final EndpointHealth health = new EndpointHealth();
    /** Guarded by the load balancer's lock. */
    final WarmUp warmUp = new WarmUp();

    final LongAdder picks = new LongAdder();
    final LongAdder failures = new LongAdder();

    private final RecentFailures ofService;

    private volatile int inFlight;
    /** Failures since the last success. */
    private volatile int recentFailures;

    private volatile long waitingSince;
    private volatile long latency;

    /** The fence as it was set at run time; null: as configured. Guarded by the load balancer's lock. */
    @Nullable
    Boolean fence;

    volatile @Nullable String lastError;

    // Guarded by this.
    private Scheduler.@Nullable Timer expiry;
    private boolean removed;

    EndpointState(RecentFailures ofService) {
        this.ofService = ofService;
    }

    void begin(long now) {
        // Before the count: while that is 0, nobody asks since when.
        if (inFlight == 0) {
            waitingSince = now;
        }
        IN_FLIGHT.incrementAndGet(this);
        picks.increment();
    }

    /** An answer came. Failures and cancels are none: a server that only hangs must be seen to hang. */
    void responded(long latencyNanos, long now, LatencyAverage averaging) {
        waitingSince = now;
        outrun(latencyNanos, now, averaging);
    }

    /** An answer would have taken at least this long. */
    void outrun(long latencyNanos, long now, LatencyAverage averaging) {
        while (true) {
            long before = latency;
            if (LATENCY.compareAndSet(this, before, averaging.observed(before, latencyNanos, now))) {
                return;
            }
        }
    }

    void end() {
        IN_FLIGHT.decrementAndGet(this);
    }

    int inFlight() {
        return inFlight;
    }

    long waitingSince() {
        return waitingSince;
    }

    /** The latency's average, a word of {@link LatencyAverage}. */
    long latency() {
        return latency;
    }

    /** Failures since the last success. */
    int recentFailures() {
        return Math.max(0, recentFailures);
    }

    void failed() {
        failures.increment();
        while (true) {
            int before = recentFailures;
            if (before == GONE || before == Integer.MAX_VALUE) {
                return;
            }
            if (RECENT_FAILURES.compareAndSet(this, before, before + 1)) {
                if (before == 0) {
                    ofService.begin();
                }
                return;
            }
        }
    }

    void succeeded() {
        while (true) {
            int before = recentFailures;
            if (before <= 0) {
                return;
            }
            if (RECENT_FAILURES.compareAndSet(this, before, 0)) {
                ofService.end();
                return;
            }
        }
    }

    /** Runs a task when the ejection or the backoff that ends first is over; replaces the task before. */
    synchronized void atExpiry(Scheduler scheduler, Runnable task) {
        cancelExpiry();
        long now = scheduler.nanoTime();
        long nanos = health.nanosToExpiry(now);
        if (nanos >= 0 && !removed) {
            expiry = scheduler.schedule(task, nanos);
        }
    }

    /** The id has left the list, or the service ends: no timer of it is left, nor will be. */
    synchronized void remove() {
        removed = true;
        cancelExpiry();
        if (RECENT_FAILURES.getAndSet(this, GONE) > 0) {
            ofService.end();
        }
    }

    synchronized boolean isRemoved() {
        return removed;
    }

    private void cancelExpiry() {
        if (expiry != null) {
            expiry.cancel();
            expiry = null;
        }
    }
}
