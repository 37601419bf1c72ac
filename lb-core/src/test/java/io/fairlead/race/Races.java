package io.fairlead.race;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * Lincheck over a class of operations: random scenarios of two threads, each run many times, and the results of every
 * run held against all sequential orders of the same calls (linearizability).
 */
public final class Races {
    private Races() {}

    /** On real threads, for pieces as large as a load balancer. */
    static void stress(Class<?> operations) {
        new StressOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(1)
                .iterations(6)
                .invocationsPerIteration(200)
                .check(operations);
    }

    /** In every interleaving of a few switches between the threads, for small pieces. */
    public static void explore(Class<?> operations) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .iterations(10)
                .invocationsPerIteration(200)
                .check(operations);
    }
}
