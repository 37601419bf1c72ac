package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Subject;
import java.util.function.Function;

/**
 * One line of the catalogue.
 *
 * @param name how it is called on the command line and in the raw results
 * @param algorithm the strategy of ours whose table it stands in
 * @param label how the table calls it
 * @param kind whose it is
 * @param heedsWeights whether weights change what it does, so that it is worth measuring with mixed ones
 * @param factory makes it
 */
record Entry(
        String name,
        String algorithm,
        String label,
        Kind kind,
        boolean heedsWeights,
        Function<Fleet, Subject> factory) {
    /** Whose a subject is. */
    enum Kind {
        /** A strategy of this library. */
        OURS,
        /** A strategy of this library, and the way from the key's text to its hash with it. */
        OURS_FROM_TEXT,
        /** Another library's. */
        PEER,
        /** What the others are compared with. */
        YARDSTICK
    }

    Subject build(Fleet fleet) {
        return factory.apply(fleet);
    }
}
