package io.fairlead;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A peak-sensitive, exponentially weighted moving average of latencies, after Finagle's {@code PeakEwma}: a sample above
 * the average replaces it at once, one below is blended in by its age, {@code w = e^(-Δt/τ)}.
 *
 * <p>Average and moment share one 64-bit word, so that an update is a single compare-and-set: the upper half is the
 * average in nanoseconds as a float, the lower the moment in units of 2²⁰ ns, which wraps after 52 days of silence.
 */
final class LatencyAverage {
    private static final int UNIT_BITS = 20;

    private final double tauNanos;
    private final AtomicLong word = new AtomicLong();

    LatencyAverage(Duration tau) {
        this.tauNanos = tau.toNanos();
    }

    void observe(long latencyNanos, long nowNanos) {
        int now = (int) (nowNanos >> UNIT_BITS);
        while (true) {
            long seen = word.get();
            float average = Float.intBitsToFloat((int) (seen >>> 32));
            float next;
            if (average <= 0 || latencyNanos >= average) {
                next = Math.max(1, latencyNanos);
            } else {
                double keep = Math.exp(-elapsedNanos(now, (int) seen) / tauNanos);
                next = (float) (average * keep + latencyNanos * (1 - keep));
            }
            if (word.compareAndSet(seen, pack(next, now))) {
                return;
            }
        }
    }

    /** The average in nanoseconds, 0 before the first sample, decayed to this moment. */
    double nanos(long nowNanos) {
        long seen = word.get();
        float average = Float.intBitsToFloat((int) (seen >>> 32));
        if (average <= 0) {
            return 0;
        }
        return average * Math.exp(-elapsedNanos((int) (nowNanos >> UNIT_BITS), (int) seen) / tauNanos);
    }

    private static double elapsedNanos(int now, int then) {
        // Another thread may have written a later moment than ours: that is no time at all.
        return Math.max(0, now - then) * (double) (1 << UNIT_BITS);
    }

    private static long pack(float average, int moment) {
        return ((long) Float.floatToRawIntBits(average) << 32) | (moment & 0xFFFFFFFFL);
    }
}
