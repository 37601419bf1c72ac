package io.fairlead.strategy;

/** A table whose next choice for a key is the first choice for the hash of its hash. */
abstract class RehashedTable extends ProbedTable {
    /** The golden ratio: keeps the chain from resting on the zero that the avalanche maps to itself. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    @Override
    final long first(long hash) {
        return hash;
    }

    @Override
    final long next(long place) {
        return XxHash64.avalanche(place + STEP);
    }
}
