package io.fairlead.strategy;

/**
 * The turns of one period spread evenly: each server's {@code k}-th at {@code (k + 1/2) / weight} of the period, moved
 * by the current value it begins with. Costs O(period) whatever the number of distinct weights.
 */
final class EvenLayout {
    private EvenLayout() {}

    static int[] of(int[] weights, long[] begin, int period) {
        long sum = Weights.sum(weights);
        int divisor = (int) (sum / period);
        int[] places = new int[period];
        int[] owners = new int[period];
        int[] ends = new int[period + 1];
        int turn = 0;
        for (int i = 0; i < weights.length; i++) {
            int count = weights[i] / divisor;
            for (int k = 0; k < count; k++) {
                double at = (k + 0.5 - (double) begin[i] / sum) / count;
                places[turn] = (int) Math.min(period - 1, (at - Math.floor(at)) * period);
                owners[turn] = i;
                ends[places[turn] + 1]++;
                turn++;
            }
        }
        for (int i = 1; i < ends.length; i++) {
            ends[i] += ends[i - 1];
        }
        int[] order = new int[period];
        for (int i = 0; i < period; i++) {
            order[ends[places[i]]++] = owners[i];
        }
        return order;
    }
}
