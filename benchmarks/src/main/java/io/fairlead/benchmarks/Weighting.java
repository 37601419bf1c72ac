package io.fairlead.benchmarks;

/** How the servers of a measurement are weighted. */
public enum Weighting {
    /** Every server has weight 1. */
    EQUAL,
    /** Weights 1 to 5 in turn. */
    MIXED;

    /** The weight of the server at this index. */
    public int weightOf(int index) {
        return this == EQUAL ? 1 : 1 + index % 5;
    }
}
