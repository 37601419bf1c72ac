package io.fairlead.strategy;

/**
 * Two different indices out of 64 random bits, every ordered pair with the same chance: by multiplication, not by
 * remainder, so that the bias stays below 2^-32 times the count.
 */
final class Draw {
    private Draw() {}

    /** The first index, of the upper half of the bits. */
    static int first(long bits, int count) {
        return (int) (((bits >>> 32) * count) >>> 32);
    }

    /** More bits, good enough to break ties with, out of some that were drawn (Knuth's linear congruence, MMIX). */
    static long next(long bits) {
        return bits * 6364136223846793005L + 1442695040888963407L;
    }

    /** The second index, of the lower half of the bits; there are at least two. */
    static int other(long bits, int first, int count) {
        int rank = (int) (((bits & 0xFFFFFFFFL) * (count - 1)) >>> 32);
        return rank < first ? rank : rank + 1;
    }
}
