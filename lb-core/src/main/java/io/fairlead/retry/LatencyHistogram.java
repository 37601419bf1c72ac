package io.fairlead.retry;

import io.fairlead.Ticker;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long the recent requests of a service took, as counts in classes whose bounds grow by a sixteenth: a quantile is
 * known to 6 %. All counts are halved every ten seconds, so that a request of a minute ago weighs a sixty-fourth of one of
 * now.
 *
 * <p>Lock-free, and safe for use from any thread. While counts are halved, others may be added; none is lost.
 */
final class LatencyHistogram {
    /** With fewer answers than this a quantile means nothing. */
    static final int MIN_SAMPLES = 20;

    private static final int SUB_BITS = 4;
    private static final int SUBS = 1 << SUB_BITS;
    /** Everything below 2^14 ns, 16 µs, is one class; everything above 2^38 ns, 4.6 minutes, too. */
    private static final int MIN_BITS = 14;

    private static final int MAX_BITS = 38;
    private static final int CLASSES = ((MAX_BITS - MIN_BITS) << SUB_BITS) + 2;
    private static final long HALF_LIFE_NANOS = 10_000_000_000L;
    /** After so many half-lives nothing is left of a count. */
    private static final long MOST_HALVINGS = 31;

    private final Ticker ticker;
    private final AtomicIntegerArray counts = new AtomicIntegerArray(CLASSES);
    private final AtomicLong halvedAt;

    LatencyHistogram(Ticker ticker) {
        this.ticker = ticker;
        halvedAt = new AtomicLong(ticker.nanoTime());
    }

    /** Adds the time that a request took. */
    void add(long nanos) {
        halve();
        counts.incrementAndGet(classOf(nanos));
    }

    /**
     * The time within which this share of the recent requests was answered; {@link Long#MAX_VALUE} while too few are
     * known.
     */
    long quantile(double share) {
        halve();
        long total = 0;
        for (int i = 0; i < CLASSES; i++) {
            total += counts.get(i);
        }
        if (total < MIN_SAMPLES) {
            return Long.MAX_VALUE;
        }
        long needed = (long) Math.ceil(total * share);
        long seen = 0;
        for (int i = 0; i < CLASSES; i++) {
            seen += counts.get(i);
            if (seen >= needed) {
                return upperBound(i);
            }
        }
        // Counts were halved while they were added up.
        return Long.MAX_VALUE;
    }

    private void halve() {
        long before = halvedAt.get();
        long halvings = (ticker.nanoTime() - before) / HALF_LIFE_NANOS;
        if (halvings <= 0 || !halvedAt.compareAndSet(before, before + halvings * HALF_LIFE_NANOS)) {
            return;
        }
        int shift = (int) Math.min(MOST_HALVINGS, halvings);
        for (int i = 0; i < CLASSES; i++) {
            int count = counts.get(i);
            // Taken off, not set: what is added meanwhile stays.
            counts.addAndGet(i, (count >> shift) - count);
        }
    }

    static int classOf(long nanos) {
        if (nanos < 1L << MIN_BITS) {
            return 0;
        }
        if (nanos >= 1L << MAX_BITS) {
            return CLASSES - 1;
        }
        int bits = 63 - Long.numberOfLeadingZeros(nanos);
        int sub = (int) (nanos >> (bits - SUB_BITS)) & (SUBS - 1);
        return 1 + ((bits - MIN_BITS) << SUB_BITS) + sub;
    }

    /** The least time that is above all those of a class. */
    static long upperBound(int index) {
        if (index == 0) {
            return 1L << MIN_BITS;
        }
        if (index == CLASSES - 1) {
            return Long.MAX_VALUE;
        }
        int bits = MIN_BITS + ((index - 1) >> SUB_BITS);
        int sub = (index - 1) & (SUBS - 1);
        return (long) (SUBS + sub + 1) << (bits - SUB_BITS);
    }
}
