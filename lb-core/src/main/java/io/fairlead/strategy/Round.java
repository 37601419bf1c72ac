package io.fairlead.strategy;

import java.util.Arrays;

/**
 * One round of weights spent one after the other, as positions from 0 to their sum, with a guide that finds the owner of
 * a position: equal stretches, each of which names the first owner in it. That is one step where weights are alike, and
 * a binary search within the stretch where they are not.
 *
 * <p>Immutable.
 */
final class Round {
    private final int[] starts;
    private final int[] guide;
    private final int shift;

    private Round(int[] starts) {
        this.starts = starts;
        int owners = starts.length - 1;
        int stretch = Math.max(1, starts[owners] / (2 * owners));
        shift = 31 - Integer.numberOfLeadingZeros(stretch);
        guide = new int[((starts[owners] - 1) >>> shift) + 2];
        int owner = 0;
        for (int i = 0; i < guide.length; i++) {
            long begin = (long) i << shift;
            while (owner < owners - 1 && starts[owner + 1] <= begin) {
                owner++;
            }
            guide[i] = owner;
        }
    }

    /** The round of these weights, each at least 1; scaled down in proportion where their sum is above 2^30. */
    static Round of(int[] weights) {
        int[] fitting = Weights.scaledTo(Cycle.MAX_LENGTH, weights);
        int[] starts = new int[fitting.length + 1];
        for (int i = 0; i < fitting.length; i++) {
            starts[i + 1] = starts[i] + fitting[i];
        }
        return new Round(starts);
    }

    int length() {
        return starts[starts.length - 1];
    }

    /** The first position of this owner; of the owner behind the last: the length. */
    int start(int owner) {
        return starts[owner];
    }

    /** The servers of this round, one for each position. */
    Candidate[] of(Candidate[] servers) {
        Candidate[] turns = new Candidate[length()];
        for (int i = 0; i < servers.length; i++) {
            Arrays.fill(turns, starts[i], starts[i + 1], servers[i]);
        }
        return turns;
    }

    /** Whose position this is. */
    int turnAt(int position) {
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
