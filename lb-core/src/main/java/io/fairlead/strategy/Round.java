package io.fairlead.strategy;

import java.util.Arrays;

/**
 * One round of weights spent one after the other, as positions from 0 to their sum, with a guide that finds the run of a
 * position: equal stretches, each of which names the first run in it. That is one step where weights are alike, and a
 * binary search within the stretch where they are not.
 *
 * <p>A run is one owner's positions in a row. Where the weights are in finer units than those that are spent, the round
 * consists of as many laps as there are units: an owner of a whole weight has its run in each lap, one of a part of a
 * unit in that part of the laps, evenly spread.
 *
 * <p>Immutable.
 */
final class Round {
    /** Longer rounds have one lap, so that what is laid out stays small. */
    private static final int MAX_OF_LAPS = 1 << 20;

    /** Where each run starts, and behind them the length. */
    private final int[] starts;
    /** Whose each run is. */
    private final int[] owners;
    /** The lap of each run, ascending. */
    private final int[] lapOf;

    private final int laps;
    private final int[] guide;
    private final int shift;

    private Round(int[] starts, int[] owners, int[] lapOf, int laps) {
        this.starts = starts;
        this.owners = owners;
        this.lapOf = lapOf;
        this.laps = laps;
        int runs = starts.length - 1;
        int stretch = Math.max(1, starts[runs] / (2 * runs));
        shift = 31 - Integer.numberOfLeadingZeros(stretch);
        guide = new int[((starts[runs] - 1) >>> shift) + 2];
        int run = 0;
        for (int i = 0; i < guide.length; i++) {
            long begin = (long) i << shift;
            while (run < runs - 1 && starts[run + 1] <= begin) {
                run++;
            }
            guide[i] = run;
        }
    }

    /** The round of these weights, each at least 1; scaled down in proportion where their sum is above 2^30. */
    static Round of(int[] weights) {
        int[] fitting = Weights.scaledTo(Cycle.MAX_LENGTH, weights);
        int[] starts = new int[fitting.length + 1];
        int[] owners = new int[fitting.length];
        for (int i = 0; i < fitting.length; i++) {
            starts[i + 1] = starts[i] + fitting[i];
            owners[i] = i;
        }
        return new Round(starts, owners, new int[fitting.length], 1);
    }

    /** The round of weights of which so many units, at least 1, are one that is spent. */
    static Round of(int[] weights, int scale) {
        int divisor = Weights.commonDivisor(new int[] {Weights.commonDivisor(weights), scale});
        int laps = scale / divisor;
        boolean fits = Weights.sum(weights) / divisor <= MAX_OF_LAPS;
        if (laps == 1 || !fits) {
            return of(wholes(weights, scale));
        }
        int length = (int) (Weights.sum(weights) / divisor);
        int[] starts = new int[length + 1];
        int[] owners = new int[length];
        int[] lapOf = new int[length];
        int run = 0;
        for (int lap = 0; lap < laps; lap++) {
            for (int i = 0; i < weights.length; i++) {
                int spent = spent(lap + 1, weights[i] / divisor, laps) - spent(lap, weights[i] / divisor, laps);
                if (spent > 0) {
                    starts[run + 1] = starts[run] + spent;
                    owners[run] = i;
                    lapOf[run] = lap;
                    run++;
                }
            }
        }
        return new Round(Arrays.copyOf(starts, run + 1), Arrays.copyOf(owners, run), Arrays.copyOf(lapOf, run), laps);
    }

    private static int[] wholes(int[] weights, int scale) {
        int[] wholes = new int[weights.length];
        for (int i = 0; i < wholes.length; i++) {
            wholes[i] = Math.max(1, weights[i] / scale);
        }
        return wholes;
    }

    /** What an owner has spent by the beginning of a lap: a part of a unit falls into the middle of the laps it is for. */
    private static int spent(int lap, int weight, int laps) {
        return (int) ((2L * lap * weight + laps) / (2L * laps));
    }

    int length() {
        return starts[starts.length - 1];
    }

    /** The first position of this run; of the run behind the last: the length. */
    int start(int run) {
        return starts[run];
    }

    /** Whose this run is. */
    int owner(int run) {
        return owners[run];
    }

    /** How far into the round this run is, in laps, from 0 to 1. */
    double phase(int run) {
        return (double) lapOf[run] / laps;
    }

    /** The first run of this owner from this phase on, around the end. */
    int runOf(int owner, double phase) {
        if (laps == 1) {
            return owner;
        }
        int lap = (int) Math.round(phase * laps);
        int first = -1;
        for (int run = 0; run < owners.length; run++) {
            if (owners[run] == owner) {
                if (lapOf[run] >= lap) {
                    return run;
                }
                first = first < 0 ? run : first;
            }
        }
        return Math.max(0, first);
    }

    /** The servers of this round, one for each position. */
    Candidate[] of(Candidate[] servers) {
        Candidate[] turns = new Candidate[length()];
        for (int i = 0; i < owners.length; i++) {
            Arrays.fill(turns, starts[i], starts[i + 1], servers[owners[i]]);
        }
        return turns;
    }

    /** The run that this position is in. */
    int runAt(int position) {
        int stretch = position >>> shift;
        int low = guide[stretch];
        int high = guide[stretch + 1];
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts[middle] <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
