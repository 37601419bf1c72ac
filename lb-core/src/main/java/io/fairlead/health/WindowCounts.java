package io.fairlead.health;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many requests of late succeeded and failed, in ten slices of time of which the oldest is dropped whole: at any
 * moment those of the last nine slices and of the running one are counted.
 *
 * <p>A slice is one word: the number of the slice in its upper 16 bits, then 24 bits of failures and 24 of successes,
 * which stay at their greatest. Recording is one compare-and-set.
 *
 * <p>Safe for use from any thread.
 */
final class WindowCounts {
    private static final int SLICES = 10;
    private static final int COUNT_BITS = 24;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
    private static final int NUMBER_SHIFT = 2 * COUNT_BITS;
    private static final long NUMBER_MASK = 0xFFFF;

    private final AtomicLongArray slices = new AtomicLongArray(SLICES);
    private final long start;
    private final long sliceNanos;

    /** Nothing so far. */
    WindowCounts(long windowNanos, long now) {
        sliceNanos = Math.max(1, windowNanos / SLICES);
        start = now;
    }

    void record(boolean failed, long now) {
        // From 1 on, so that an empty word is of no slice that counts at the beginning.
        long number = number(now);
        int index = (int) (number % SLICES);
        long one = failed ? 1L << COUNT_BITS : 1L;
        long mask = failed ? COUNT_MASK << COUNT_BITS : COUNT_MASK;
        while (true) {
            long before = slices.get(index);
            long age = (number - (before >>> NUMBER_SHIFT)) & NUMBER_MASK;
            if (age > NUMBER_MASK / 2) {
                // Another thread is in a later slice already, and ours has been dropped.
                return;
            }
            long base = age == 0 ? before : (number & NUMBER_MASK) << NUMBER_SHIFT;
            long after = (base & mask) == mask ? base : base + one;
            if (after == before || slices.compareAndSet(index, before, after)) {
                return;
            }
        }
    }

    /** Whether what began at this moment is counted: not what is older than these counts. */
    boolean isOf(long began) {
        return began - start >= 0;
    }

    /** Whether at least so many ended, and at least this percentage of them in failure. */
    boolean reaches(int minRequests, int failurePercent, long now) {
        long newest = number(now);
        long failed = 0;
        long all = 0;
        for (int i = 0; i < SLICES; i++) {
            long word = slices.get(i);
            long age = (newest - (word >>> NUMBER_SHIFT)) & NUMBER_MASK;
            if (age < SLICES) {
                long failures = (word >>> COUNT_BITS) & COUNT_MASK;
                failed += failures;
                all += failures + (word & COUNT_MASK);
            }
        }
        return all >= minRequests && failed * 100 >= all * failurePercent;
    }

    private long number(long now) {
        return SLICES + Math.max(0, now - start) / sliceNanos;
    }
}
