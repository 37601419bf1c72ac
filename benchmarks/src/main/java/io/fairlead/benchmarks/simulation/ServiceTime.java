package io.fairlead.benchmarks.simulation;

import java.util.SplittableRandom;

/** How long a server works on a request. Immutable: the chance is the caller's. */
@FunctionalInterface
interface ServiceTime {
    /** The time of the next request in nanoseconds, at least 0. */
    double nextNanos(SplittableRandom chance);

    /** Memoryless times of this mean. */
    static ServiceTime exponential(double meanNanos) {
        return chance -> Draw.exponential(chance, meanNanos);
    }

    /** Every request takes the same time. */
    static ServiceTime constant(double nanos) {
        return chance -> nanos;
    }
}
