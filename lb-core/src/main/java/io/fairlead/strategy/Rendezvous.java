package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@code hrw}: weighted rendezvous hashing (Thaler and Ravishankar 1998; weights after Schindelhauer and Schomaker
 * 2005). Each server's score for a key is {@code -ln(h) / weight}, {@code h} uniform in (0, 1) from the hash of key and
 * id; the least score wins. A server that goes takes only its own keys along, one that comes takes its share from all,
 * and a key's second choice is the server that it moves to when the first goes.
 *
 * <p>A pick hashes every server, O(n). Among equal weights the greatest hash wins, so one logarithm is taken for each
 * distinct weight.
 */
final class Rendezvous implements Strategy {
    private final HashKey key;

    Rendezvous(HashKey key) {
        this.key = key;
    }

    @Override
    public String name() {
        return "hrw";
    }

    @Override
    public Picker picker(PickerContext context) {
        return new RendezvousPicker(key, new IdOrder(context.candidates()));
    }

    private static final class RendezvousPicker implements Picker {
        private final HashKey key;
        private final Candidate[] servers;
        private final long[] hashes;
        /** Where the servers of each weight end. */
        private final int[] ends;

        private final double[] weights;

        RendezvousPicker(HashKey key, IdOrder ordered) {
            this.key = key;
            servers = ordered.byWeight();
            hashes = new long[servers.length];
            int[] groupEnds = new int[servers.length];
            double[] groupWeights = new double[servers.length];
            int groups = 0;
            for (int i = 0; i < servers.length; i++) {
                hashes[i] = XxHash64.hash(servers[i].id(), 0);
                int weight = Math.max(1, servers[i].weight());
                if (groups == 0 || groupWeights[groups - 1] != weight) {
                    groupWeights[groups++] = weight;
                }
                groupEnds[groups - 1] = i + 1;
            }
            ends = Arrays.copyOf(groupEnds, groups);
            weights = Arrays.copyOf(groupWeights, groups);
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            long hash = key.hash(request);
            int best = tried.isEmpty() ? best(hash) : best(hash, tried);
            return best < 0 ? null : servers[best];
        }

        private int best(long key) {
            int best = -1;
            double least = Double.POSITIVE_INFINITY;
            int i = 0;
            for (int group = 0; group < ends.length; group++) {
                int winner = i;
                long greatest = Long.MIN_VALUE;
                for (; i < ends[group]; i++) {
                    long hash = XxHash64.avalanche(key ^ hashes[i]);
                    if (hash > greatest) {
                        greatest = hash;
                        winner = i;
                    }
                }
                if (ends.length == 1) {
                    return winner;
                }
                double score = score(greatest, weights[group]);
                if (score < least) {
                    least = score;
                    best = winner;
                }
            }
            return best;
        }

        private int best(long key, Tried tried) {
            int best = -1;
            double least = Double.POSITIVE_INFINITY;
            int i = 0;
            for (int group = 0; group < ends.length; group++) {
                int winner = -1;
                long greatest = Long.MIN_VALUE;
                for (; i < ends[group]; i++) {
                    long hash = XxHash64.avalanche(key ^ hashes[i]);
                    if ((winner < 0 || hash > greatest) && !tried.contains(servers[i].id())) {
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
            return best;
        }

        /** The score of a hash, taken as a number in (0, 1) in the order of signed integers. */
        private static double score(long hash, double weight) {
            double uniform = (((hash ^ Long.MIN_VALUE) >>> 11) + 0.5) * 0x1p-53;
            return -NaturalLog.of(uniform) / weight;
        }
    }
}
