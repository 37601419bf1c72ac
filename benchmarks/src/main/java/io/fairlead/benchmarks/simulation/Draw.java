package io.fairlead.benchmarks.simulation;

import java.util.SplittableRandom;

/** Draws from distributions. */
final class Draw {
    private Draw() {}

    /** An exponential number of this mean. */
    static double exponential(SplittableRandom chance, double mean) {
        // Strict, so that every machine gets the same figures.
        return -StrictMath.log(1 - chance.nextDouble()) * mean;
    }
}
