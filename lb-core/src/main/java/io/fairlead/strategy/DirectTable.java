package io.fairlead.strategy;

/**
 * {@code direct-hash}: the hash picks an index, by multiplication. A server that comes or goes moves a third to a half of
 * all keys.
 */
final class DirectTable extends RehashedTable {
    private final int count;

    DirectTable(int count) {
        this.count = count;
    }

    @Override
    int serverAt(long place) {
        return (int) (((place >>> 32) * count) >>> 32);
    }
}
