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
    private static final long MIX_1 = 0xC2B2AE3D27D4EB4FL;
    private static final long MIX_2 = 0x9E3779B185EBCA87L;
    private static final int INDEX_BITS = 24;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

    /** By weight, the greatest first, then by id. */
    private final long[] hashes;

    private final int[] servers;
    /** Where the servers of each weight end, and the weight. */
    private final int[] ends;

    private final double[] weights;

    RendezvousTable(Candidate[] byId, int[] weightsById) {
        int count = byId.length;
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            order[i] = ((long) -weightsById[i] << 32) | i;
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
        int from = 0;
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int group = 0; group < ends.length; group++) {
            long greatest = greatest(key, from, ends[group]);
            if (ends.length == 1) {
                return servers[(int) (greatest & INDEX_MASK)];
            }
            // -ln(h) is at least 1 - h, and little more where h is near 1: most groups need no logarithm.
            if ((1 - uniform(greatest)) / weights[group] < least) {
                double score = score(greatest, weights[group]);
                if (score < least) {
                    least = score;
                    best = (int) (greatest & INDEX_MASK);
                }
            }
            from = ends[group];
        }
        return servers[best];
    }

    /** The greatest ticket of a stretch, found without a branch that a few hashes in each stretch would mispredict. */
    private long greatest(long key, int from, int to) {
        long greatest = 0;
        for (int i = from; i < to; i++) {
            long difference = greatest - ticket(key, i);
            greatest -= difference & (difference >> 63);
        }
        return greatest;
    }

    /** A hash of 39 bits for key and server, and behind it the server's place. */
    private long ticket(long key, int place) {
        // Both are hashes already, so two multiplications mix them well enough for the upper bits that count.
        long product = (key ^ hashes[place]) * MIX_1;
        long mixed = (product ^ (product >>> 32)) * MIX_2;
        return ((mixed >>> 1) & ~INDEX_MASK) | place;
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
            long greatest = -1;
            for (; i < ends[group]; i++) {
                long ticket = ticket(key, i);
                if (ticket > greatest
                        && !picker.isTried(servers[i], tried)
                        && (!withinBound || picker.isWithinBound(servers[i], total))) {
                    greatest = ticket;
                }
            }
            if (greatest >= 0) {
                double score = score(greatest, weights[group]);
                if (best < 0 || score < least) {
                    least = score;
                    best = (int) (greatest & INDEX_MASK);
                }
            }
        }
        return best < 0 ? -1 : servers[best];
    }

    private static double score(long ticket, double weight) {
        return -NaturalLog.of(uniform(ticket)) / weight;
    }

    /** A ticket's hash as a number in (0, 1). */
    private static double uniform(long ticket) {
        return ((ticket >>> INDEX_BITS) + 0.5) * 0x1p-39;
    }
}
