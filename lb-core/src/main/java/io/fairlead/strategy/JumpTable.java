package io.fairlead.strategy;

/**
 * {@code jump}: J. Lamping and E. Veach, <i>A Fast, Minimal Memory, Consistent Hash Algorithm</i>, 2014, over the
 * servers sorted by id. Weights are not taken into account. A server added at the end takes its share from all others
 * and moves nothing else; one that goes moves the keys of those behind it, so it suits ids that are numbered.
 */
final class JumpTable extends RehashedTable {
    private static final long MULTIPLIER = 2862933555777941757L;

    private final int count;

    JumpTable(int count) {
        this.count = count;
    }

    @Override
    int serverAt(long place) {
        return (int) bucket(place, count);
    }

    /** The bucket of a key, from 0 to {@code buckets - 1}; there are from 1 to 2^31. */
    static long bucket(long key, long buckets) {
        long state = key;
        long bucket = -1;
        long next = 0;
        while (next < buckets) {
            bucket = next;
            state = state * MULTIPLIER + 1;
            next = (long) ((bucket + 1) * (0x1p31 / ((state >>> 33) + 1)));
        }
        return bucket;
    }
}
