package io.fairlead.strategy;

/**
 * {@code weighted-direct-hash}: the hash is the draw from an alias table of the weights, so that a pick costs the same
 * for any number of servers. Any change of the list moves most keys.
 */
final class WeightedDirectTable extends RehashedTable {
    private final AliasTable table;

    WeightedDirectTable(int[] weights) {
        table = AliasTable.of(weights);
    }

    @Override
    int serverAt(long place) {
        return table.at(place);
    }
}
