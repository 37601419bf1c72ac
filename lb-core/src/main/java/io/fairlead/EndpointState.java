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

    volatile boolean removed;
    volatile long waitingSince;
    volatile @Nullable String lastError;

    EndpointState(Duration latencyDecay) {
        latency = new LatencyAverage(latencyDecay);
    }

    void begin(long now) {
        if (inFlight.getAndIncrement() == 0) {
            waitingSince = now;
        }
        picks.increment();
    }

    void responded(long latencyNanos, long now) {
        waitingSince = now;
        latency.observe(latencyNanos, now);
    }

    void end(long now) {
        waitingSince = now;
        inFlight.decrementAndGet();
    }
}
