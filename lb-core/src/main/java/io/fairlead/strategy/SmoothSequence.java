package io.fairlead.strategy;

import java.util.Arrays;

/**
 * A smooth weighted sequence laid out as server indices: a run-in, empty unless the sequence was begun with current
 * values from another one, and a period of (sum of the weights / their common divisor) turns that repeats for ever.
 *
 * <p>Current values move by their weight a turn, and those of equal weights by the same, so among equals the order is
 * kept and one heap for each distinct weight suffices: a turn costs a look at the top of each heap, not at each server.
 *
 * <p>The sequence is exactly nginx's with two exceptions, in both of which the counts in a period stay right: with so
 * many distinct weights that {@code period * distinct} is above 2^24 the turns are spread evenly instead (each server's
 * {@code k}-th at {@code (k + 1/2) / weight} of the period), and with a period above 2^20 the weights are first scaled
 * down to that sum.
 *
 * <p>Immutable.
 */
final class SmoothSequence {
    static final int MAX_PERIOD = 1 << 20;

    private static final long MAX_STEPS = 1 << 24;
    /** Values of a former list are taken as they are up to so many sums; more would be a burst for one server. */
    private static final int MAX_CARRIED = 64;

    private static final int MAX_RUN_IN = 1 << 20;
    private static final int LONG_RUN = 8;

    private final int[] order;
    private final int runIn;
    private final int[] weights;
    private final long[] begin;
    private final double unit;
    private final int[] runEnds;

    private SmoothSequence(int[] order, int runIn, int[] weights, long[] begin, double unit) {
        this.order = order;
        this.runIn = runIn;
        this.weights = weights;
        this.begin = begin;
        this.unit = unit;
        this.runEnds = runEnds(order);
    }

    /**
     * The sequence of these weights.
     *
     * @param weights each at least 1
     * @param currents the current values to begin with, in units of the weights; all zero for a new sequence
     */
    static SmoothSequence of(int[] weights, long[] currents) {
        long sum = Weights.sum(weights);
        int divisor = Weights.commonDivisor(weights);
        boolean fits = sum / divisor <= MAX_PERIOD && Weights.greatest(weights) <= MAX_PERIOD;
        int[] scaled = fits ? weights : Weights.scaledTo(MAX_PERIOD, weights);
        long scaledSum = Weights.sum(scaled);
        double unit = fits ? 1 : (double) sum / scaledSum;
        int period = (int) (scaledSum / Weights.commonDivisor(scaled));
        long bound = scaledSum * Math.min(MAX_CARRIED, MAX_PERIOD / period);
        long[] begin = new long[weights.length];
        for (int i = 0; i < begin.length; i++) {
            begin[i] = Math.max(-bound, Math.min(bound, fits ? currents[i] : Math.round(currents[i] / unit)));
        }
        SmoothLayout layout = new SmoothLayout(scaled, period);
        if (period * (long) layout.distinctWeights() > MAX_STEPS) {
            return new SmoothSequence(EvenLayout.of(scaled, begin, period), 0, scaled, begin, unit);
        }
        long[] state = begin.clone();
        long[] before = begin;
        int[] order = new int[period];
        layout.run(state, order, 0);
        int runIn = 0;
        // From any beginning the values fall into the loop of the period; how soon depends on how far off they are.
        while (!Arrays.equals(before, state) && runIn < MAX_RUN_IN) {
            before = state.clone();
            runIn += period;
            order = Arrays.copyOf(order, runIn + period);
            layout.run(state, order, runIn);
        }
        return new SmoothSequence(order, runIn, scaled, begin, unit);
    }

    int length() {
        return order.length;
    }

    int runIn() {
        return runIn;
    }

    int at(int position) {
        return order[position];
    }

    /** The servers of this order, one for each position. */
    Candidate[] of(Candidate[] servers) {
        Candidate[] turns = new Candidate[order.length];
        for (int i = 0; i < turns.length; i++) {
            turns[i] = servers[order[i]];
        }
        return turns;
    }

    /** The first position after this one that has another server, or a few positions on; may be the length. */
    int afterRunAt(int position) {
        return runEnds.length == 0 ? position + 1 : runEnds[position];
    }

    /** The current values, in units of the weights as they were given, before the turn at this position. */
    long[] currentsBefore(int position) {
        long sum = Weights.sum(weights);
        long[] currents = begin.clone();
        for (int i = 0; i < position; i++) {
            currents[order[i]] -= sum;
        }
        for (int i = 0; i < currents.length; i++) {
            currents[i] = Math.round((currents[i] + (long) position * weights[i]) * unit);
        }
        return currents;
    }

    /** Where the run of turns of each position ends; empty where no run is long. */
    private static int[] runEnds(int[] order) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < order.length; i++) {
            run = i > 0 && order[i] == order[i - 1] ? run + 1 : 1;
            longest = Math.max(longest, run);
        }
        if (longest < LONG_RUN) {
            return new int[0];
        }
        int[] ends = new int[order.length];
        for (int i = order.length - 1; i >= 0; i--) {
            ends[i] = i + 1 < order.length && order[i] == order[i + 1] ? ends[i + 1] : i + 1;
        }
        return ends;
    }
}
