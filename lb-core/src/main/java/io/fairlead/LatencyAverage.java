package io.fairlead;

import java.time.Duration;

/**
 * A peak-sensitive, exponentially weighted moving average of latencies, after Finagle's {@code PeakEwma}: a sample above
 * the average replaces it at once, one below is blended in by its age, {@code w = e^(-Δt/τ)}.
 *
 * <p>Average and moment share one 64-bit word, which the caller keeps, so that an update is a single compare-and-set: the
 * upper half is the average in nanoseconds as a float, the lower the moment in units of 2²⁰ ns, which wraps after 52 days
 * of silence less {@link #LATE_UNITS}. The word of no sample is 0.
 *
 * <p>Immutable.
 */
final class LatencyAverage {
    private static final int UNIT_BITS = 20;
    /** By so much, some 18 minutes, one thread may be later than another. */
    private static final int LATE_UNITS = 1 << 20;

    private final Decay decay;

    /** The average whose samples lose weight by a factor of e in this time. */
    LatencyAverage(Duration tau) {
        decay = new Decay((double) tau.toNanos() / (1 << UNIT_BITS));
    }

    /** The word after a sample. */
    long observed(long word, long latencyNanos, long nowNanos) {
        int now = (int) (nowNanos >> UNIT_BITS);
        float average = average(word);
        float next;
        if (average <= 0 || latencyNanos >= average) {
            next = Math.max(1, latencyNanos);
        } else {
            double keep = decay.after(elapsed(now, word));
            next = (float) (average * keep + latencyNanos * (1 - keep));
        }
        return ((long) Float.floatToRawIntBits(next) << 32) | (now & 0xFFFFFFFFL);
    }

    /**
     * The word after an error, which may have come at once and must not make the server look quick: its latency counts
     * where it is above the average, else the average itself does, whose age begins anew. Where there is no sample yet,
     * there is none after it.
     */
    long erred(long word, long latencyNanos, long nowNanos) {
        float average = average(word);
        return average <= 0 ? word : observed(word, Math.max(latencyNanos, (long) Math.ceil(average)), nowNanos);
    }

    /** The average in nanoseconds, 0 before the first sample, decayed to this moment. */
    double nanos(long word, long nowNanos) {
        return average(word) * decay.after(elapsed((int) (nowNanos >> UNIT_BITS), word));
    }

    private static float average(long word) {
        return Float.intBitsToFloat((int) (word >>> 32));
    }

    private static int elapsed(int now, long word) {
        int units = now - (int) word;
        // Another thread may have written a later moment than ours: that is no time at all. Else it is half a turn or
        // more.
        return units >= 0 ? units : units > -LATE_UNITS ? 0 : Integer.MAX_VALUE;
    }
}
