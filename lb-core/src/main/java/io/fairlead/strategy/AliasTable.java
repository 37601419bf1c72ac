package io.fairlead.strategy;

/**
 * A draw by weight at the price of one look: M. Vose's form of the alias method (<i>A Linear Algorithm For Generating
 * Random Numbers With a Given Distribution</i>, 1991). Each of {@code n} equal cells is shared by at most two owners.
 *
 * <p>Shares are right to 2^-32 of a cell. Immutable.
 */
final class AliasTable {
    /** For each cell: above, the part of 2^32 that is its own; below, the index of whom the rest belongs to. */
    private final long[] cells;

    private AliasTable(long[] cells) {
        this.cells = cells;
    }

    /** The table of these weights, each at least 1: the same for the same list. */
    static AliasTable of(int[] weights) {
        int count = weights.length;
        long sum = Weights.sum(weights);
        long[] scaled = new long[count];
        int[] small = new int[count];
        int[] large = new int[count];
        int smalls = 0;
        int larges = 0;
        for (int i = 0; i < count; i++) {
            scaled[i] = (long) weights[i] * count;
            if (scaled[i] < sum) {
                small[smalls++] = i;
            } else {
                large[larges++] = i;
            }
        }
        long[] cells = new long[count];
        while (smalls > 0 && larges > 0) {
            int less = small[--smalls];
            int more = large[--larges];
            long own = (long) ((double) scaled[less] / sum * 0x1p32);
            cells[less] = own << 32 | more;
            scaled[more] -= sum - scaled[less];
            if (scaled[more] < sum) {
                small[smalls++] = more;
            } else {
                large[larges++] = more;
            }
        }
        // Whole cells: both parts belong to the same. Integers leave nothing over on the other side.
        while (larges > 0) {
            int whole = large[--larges];
            cells[whole] = whole;
        }
        return new AliasTable(cells);
    }

    /** Whom 64 uniform bits draw. */
    int at(long bits) {
        int index = (int) (((bits >>> 32) * cells.length) >>> 32);
        long cell = cells[index];
        return (bits & 0xFFFFFFFFL) < cell >>> 32 ? index : (int) cell;
    }
}
