package io.fairlead;

import io.fairlead.health.EndpointHealth;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What is learnt of one endpoint id: outlives updates of the list, and dies with the id. */
final class EndpointState {
    final EndpointHealth health = new EndpointHealth();
    final AtomicInteger inFlight = new AtomicInteger();
    final LongAdder picks = new LongAdder();
    final LongAdder failures = new LongAdder();
    /** Failures since the last success. */
    final AtomicInteger recentFailures = new AtomicInteger();

    final LatencyAverage latency;

    /** The fence as it was set at run time; null: as configured. Guarded by the load balancer's lock. */
    @Nullable
    Boolean fence;

    volatile long waitingSince;
    volatile @Nullable String lastError;

    // Guarded by this.
    private Scheduler.@Nullable Timer expiry;
    private boolean removed;

    EndpointState(Duration latencyDecay) {
        latency = new LatencyAverage(latencyDecay);
    }

    void begin(long now) {
        // Before the count: while that is 0, nobody asks since when.
        if (inFlight.get() == 0) {
            waitingSince = now;
        }
        inFlight.incrementAndGet();
        picks.increment();
    }

    /** An answer came. Failures and cancels are none: a server that only hangs must be seen to hang. */
    void responded(long latencyNanos, long now) {
        waitingSince = now;
        latency.observe(latencyNanos, now);
    }

    void end() {
        inFlight.decrementAndGet();
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
