package io.fairlead.strategy;

import java.util.Arrays;

/**
 * Runs the smooth weighted algorithm for whole periods. Servers of one weight form a heap, ordered by current value,
 * then by index; a turn adds each weight to the top of its heap, takes the greatest top, and lowers it by the sum.
 *
 * <p>Value and index share a 64-bit key, the index reversed, so that the greater key is the greater value or, of equal
 * values, the first server.
 */
final class SmoothLayout {
    private static final int INDEX_BITS = 20;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private final int[] weights;
    private final int period;
    private final long sum;
    /** Servers by weight, then by index: the heap of a weight is a stretch of them. */
    private final int[] byWeight;
    /** Where each heap begins, and behind them the number of servers. */
    private final int[] starts;

    SmoothLayout(int[] weights, int period) {
        if (weights.length > INDEX_MASK) {
            throw new IllegalArgumentException(weights.length + " servers are more than " + INDEX_MASK);
        }
        this.weights = weights;
        this.period = period;
        sum = Weights.sum(weights);
        long[] sorted = new long[weights.length];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = ((long) weights[i] << 32) | i;
        }
        Arrays.sort(sorted);
        byWeight = new int[sorted.length];
        int[] begins = new int[sorted.length + 1];
        int heaps = 0;
        for (int i = 0; i < sorted.length; i++) {
            byWeight[i] = (int) sorted[i];
            if (i == 0 || sorted[i] >>> 32 != sorted[i - 1] >>> 32) {
                begins[heaps++] = i;
            }
        }
        begins[heaps] = sorted.length;
        starts = Arrays.copyOf(begins, heaps + 1);
    }

    int distinctWeights() {
        return starts.length - 1;
    }

    /** Writes the turns of one period from these values into {@code order}, and the values after it into them. */
    void run(long[] values, int[] order, int from) {
        int heaps = distinctWeights();
        long[] keys = new long[weights.length];
        long[] tops = new long[heaps];
        long[] steps = new long[heaps];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (values[byWeight[i]] << INDEX_BITS) + (INDEX_MASK - byWeight[i]);
        }
        for (int h = 0; h < heaps; h++) {
            // Sorted the right way round, a stretch is a heap.
            Arrays.sort(keys, starts[h], starts[h + 1]);
            reverse(keys, starts[h], starts[h + 1]);
            tops[h] = keys[starts[h]];
            steps[h] = (long) weights[byWeight[starts[h]]] << INDEX_BITS;
        }
        long fall = sum << INDEX_BITS;
        for (int turn = 1; turn <= period; turn++) {
            int best = 0;
            long greatest = Long.MIN_VALUE;
            for (int h = 0; h < heaps; h++) {
                long top = tops[h] + steps[h];
                tops[h] = top;
                if (top > greatest) {
                    greatest = top;
                    best = h;
                }
            }
            order[from + turn - 1] = INDEX_MASK - (int) (greatest & INDEX_MASK);
            // Keys in the heap lack the weights that have been added since the period began: the same for all of them.
            keys[starts[best]] -= fall;
            siftDown(keys, starts[best], starts[best + 1]);
            tops[best] = keys[starts[best]] + turn * steps[best];
        }
        for (int h = 0; h < heaps; h++) {
            for (int i = starts[h]; i < starts[h + 1]; i++) {
                int server = INDEX_MASK - (int) (keys[i] & INDEX_MASK);
                values[server] = (keys[i] >> INDEX_BITS) + (long) period * weights[server];
            }
        }
    }

    private static void reverse(long[] keys, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            long key = keys[i];
            keys[i] = keys[j];
            keys[j] = key;
        }
    }

    private static void siftDown(long[] keys, int from, int to) {
        int count = to - from;
        long key = keys[from];
        int hole = 0;
        while (true) {
            int child = 2 * hole + 1;
            if (child >= count) {
                break;
            }
            if (child + 1 < count && keys[from + child + 1] > keys[from + child]) {
                child++;
            }
            if (keys[from + child] < key) {
                break;
            }
            keys[from + hole] = keys[from + child];
            hole = child;
        }
        keys[from + hole] = key;
    }
}
