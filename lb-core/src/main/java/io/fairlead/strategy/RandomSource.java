package io.fairlead.strategy;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chance, passed in so that a strategy can be replayed.
 *
 * <p>Safe for use from any thread.
 */
@FunctionalInterface
public interface RandomSource {
    /** 64 uniform random bits. */
    long nextLong();

    /** A uniform number from 0 to {@code bound - 1}; the bound is at least 1 (bias below 2⁻³², by multiplication). */
    default int nextInt(int bound) {
        return (int) (((nextLong() >>> 32) * bound) >>> 32);
    }

    /** The random numbers of the calling thread. */
    static RandomSource threadLocal() {
        return () -> ThreadLocalRandom.current().nextLong();
    }
}
