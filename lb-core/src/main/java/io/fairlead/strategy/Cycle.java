package io.fairlead.strategy;

/**
 * A place in a sequence that all threads share: a run-in that is passed once, then a period that repeats for ever. Each
 * {@link #next} gives the following position, by one atomic increment and, for the remainder, a multiplication in place
 * of a division.
 *
 * <p>The counter stands alone on its cache lines. It never overflows: it is folded back by whole periods long before,
 * so that the sequence has no seam.
 */
final class Cycle extends Padded.Counter {
    /** Longest run-in and period together. */
    static final int MAX_LENGTH = 1 << 30;

    private static final int BITS = 31;

    private final int runIn;
    private final int period;
    private final long limit;
    private final long reciprocal;
    private final int shift;

    Cycle(int runIn, int period, int position) {
        if (runIn < 0 || period < 1 || runIn > MAX_LENGTH - period) {
            throw new IllegalArgumentException("a run-in of " + runIn + " and a period of " + period);
        }
        this.runIn = runIn;
        this.period = period;
        limit = runIn + (MAX_LENGTH - runIn) / period * (long) period;
        // Granlund and Montgomery: exact for every dividend below 2^31, and the product stays below 2^63.
        shift = BITS + (period == 1 ? 0 : 32 - Integer.numberOfLeadingZeros(period - 1));
        reciprocal = ((1L << shift) + period - 1) / period;
        set(position);
    }

    Cycle(int period) {
        this(0, period, 0);
    }

    /** Takes the next position, from 0 to run-in + period - 1. */
    int next() {
        long count = getAndIncrement();
        if (Long.compareUnsigned(count, limit) >= 0) {
            fold();
        }
        return position(count);
    }

    /** The position that the next call of {@link #next} takes, if no other thread is faster. */
    int position() {
        return position(get());
    }

    private int position(long count) {
        int low = (int) count & Integer.MAX_VALUE;
        int beyond = low - runIn;
        if (beyond < 0) {
            return low;
        }
        int turns = (int) ((beyond * reciprocal) >>> shift);
        return low - turns * period;
    }

    private void fold() {
        long count = get();
        // Whoever is late finds a small count and leaves it; whoever loses the race leaves it to the next.
        if (Long.compareUnsigned(count, limit) >= 0) {
            compareAndSet(count, position(count));
        }
    }
}
