package io.fairlead.strategy;

import io.fairlead.Tried;
import java.util.Arrays;

/**
 * {@code hrw}: weighted rendezvous hashing (Thaler and Ravishankar 1998; weights after Schindelhauer and Schomaker
 * 2005). Each server's score for a key is {@code -ln(h) / weight}, {@code h} uniform in (0, 1) from the hash of key and
 * id; the least score wins. A server that goes takes only its own keys along, one that comes takes its share from all,
 * and a key's second choice is the server that it moves to when the first goes.
 *
 * <p>A look-up hashes every server, O(n). Among equal weights the greatest hash wins, so one logarithm is taken for each
 * distinct weight.
 */
final class RendezvousTable extends KeyTable {
    /** By weight, then by id. */
    private final long[] hashes;

    private final int[] servers;
    /** Where the servers of each weight end, and the weight. */
    private final int[] ends;

    private final double[] weights;

    RendezvousTable(Candidate[] byId, int[] weightsById) {
        int count = byId.length;
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            order[i] = ((long) weightsById[i] << 32) | i;
        }
        Arrays.sort(order);
        hashes = new long[count];
        servers = new int[count];
        int[] groupEnds = new int[count];
        double[] groupWeights = new double[count];
        int groups = 0;
        for (int i = 0; i < count; i++) {
            servers[i] = (int) order[i];
            hashes[i] = XxHash64.hash(byId[servers[i]].id(), 0);
            int weight = weightsById[servers[i]];
            if (groups == 0 || groupWeights[groups - 1] != weight) {
                groupWeights[groups++] = weight;
            }
            groupEnds[groups - 1] = i + 1;
        }
        ends = Arrays.copyOf(groupEnds, groups);
        weights = Arrays.copyOf(groupWeights, groups);
    }

    @Override
    int home(long key) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        int from = 0;
        for (int group = 0; group < ends.length; group++) {
            int winner = from;
            long greatest = Long.MIN_VALUE;
            for (int i = from; i < ends[group]; i++) {
                long hash = XxHash64.avalanche(key ^ hashes[i]);
                if (hash > greatest) {
                    greatest = hash;
                    winner = i;
                }
            }
            if (ends.length == 1) {
                return servers[winner];
            }
            double score = score(greatest, weights[group]);
            if (score < least) {
                least = score;
                best = winner;
            }
            from = ends[group];
        }
        return servers[best];
    }

    @Override
    int search(long key, HashPicker picker, Tried tried, long total) {
        int open = best(key, picker, tried, total, true);
        return open >= 0 ? open : best(key, picker, tried, total, false);
    }

    private int best(long key, HashPicker picker, Tried tried, long total, boolean withinBound) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        int i = 0;
        for (int group = 0; group < ends.length; group++) {
            int winner = -1;
            long greatest = Long.MIN_VALUE;
            for (; i < ends[group]; i++) {
                long hash = XxHash64.avalanche(key ^ hashes[i]);
                if ((winner < 0 || hash > greatest)
                        && !picker.isTried(servers[i], tried)
                        && (!withinBound || picker.isWithinBound(servers[i], total))) {
                    greatest = hash;
                    winner = i;
                }
            }
            if (winner >= 0) {
                double score = score(greatest, weights[group]);
                if (best < 0 || score < least) {
                    least = score;
                    best = winner;
                }
            }
        }
        return best < 0 ? -1 : servers[best];
    }

    /** The score of a hash, taken as a number in (0, 1) in the order of signed integers. */
    private static double score(long hash, double weight) {
        double uniform = (((hash ^ Long.MIN_VALUE) >>> 11) + 0.5) * 0x1p-53;
        return -NaturalLog.of(uniform) / weight;
    }
}
