package io.fairlead.strategy;

import org.jspecify.annotations.Nullable;

/**
 * Strategies that send a request where the hash of its key says: each is a {@link KeyTable} built from the servers in an
 * order that depends on their ids alone, so that every process that knows the same servers sends a key to the same one.
 */
final class HashStrategy implements Strategy {
    private final String name;
    private final HashKey key;
    private final double boundedLoad;
    private final boolean weighted;
    private final Tables tables;

    /**
     * Makes a strategy.
     *
     * @param boundedLoad see {@link StrategyOptions#boundedLoad}
     * @param weighted whether servers have shares, and bounds, by their weight
     * @param tables builds the tables
     */
    HashStrategy(String name, HashKey key, double boundedLoad, boolean weighted, Tables tables) {
        this.name = name;
        this.key = key;
        this.boundedLoad = boundedLoad;
        this.weighted = weighted;
        this.tables = tables;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean sharesByWeight() {
        return weighted;
    }

    @Override
    public Picker picker(PickerContext context) {
        Candidate[] servers = Servers.byId(context.candidates());
        @Nullable LoadBound bound = boundedLoad == 0 ? null : new LoadBound(servers, boundedLoad, weighted);
        return new HashPicker(key, servers, tables.of(servers, context.weightScale()), bound);
    }

    /** Builds tables. */
    @FunctionalInterface
    interface Tables {
        /**
         * The table of these servers.
         *
         * @param byId sorted by id
         * @param weightScale see {@link PickerContext#weightScale()}
         */
        KeyTable of(Candidate[] byId, int weightScale);
    }
}
