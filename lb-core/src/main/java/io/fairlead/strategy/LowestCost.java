package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Ticker;
import io.fairlead.Tried;
import org.jspecify.annotations.Nullable;

/**
 * Strategies that compare some servers, or all, and take the one with the least cost: {@code least-requests},
 * {@code p2c}, {@code leasttime} and {@code peak-ewma}. They differ in the cost and in how many servers they draw.
 *
 * <p>Two are drawn as a pair of different servers, every pair with the same chance (M. Mitzenmacher, <i>The Power of Two
 * Choices in Randomized Load Balancing</i>, 2001). More are drawn one from each of as many equal stretches of the list,
 * behind a beginning that is chance: different servers, each with the same chance, and nothing to remember. Where as
 * many are asked for as there are, all are compared. A tie is broken by chance.
 */
final class LowestCost implements Strategy {
    /** Draws every server. */
    static final int ALL = Integer.MAX_VALUE;

    private final String name;
    private final Cost cost;
    private final int choices;

    LowestCost(String name, Cost cost, int choices) {
        this.name = name;
        this.cost = cost;
        this.choices = choices;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Picker picker(PickerContext context) {
        return new LowestPicker(Servers.array(context.candidates()), cost, choices, context);
    }

    private static final class LowestPicker implements Picker {
        private final Candidate[] servers;
        private final int[] weights;
        private final Cost cost;
        private final int choices;
        private final RandomSource random;
        private final Ticker ticker;
        private final boolean timed;
        /** Whether the requests under way are all that there is to compare. */
        private final boolean counting;

        LowestPicker(Candidate[] servers, Cost cost, int choices, PickerContext context) {
            this.servers = servers;
            this.weights = Weights.reduced(Servers.weights(servers));
            this.cost = cost;
            this.choices = choices;
            this.random = context.random();
            this.ticker = context.ticker();
            this.timed = cost.isTimed();
            this.counting = !timed && Weights.greatest(weights) == 1;
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            int count = Servers.countUntried(servers, tried);
            if (count <= 1) {
                return Servers.untriedFrom(servers, 0, tried);
            }
            if (choices >= count) {
                return counting && count == servers.length
                        ? FewestRequests.among(servers, random)
                        : servers[ofAll(tried)];
            }
            return servers[choices == 2 ? ofTwo(count, tried) : ofStretches(count, tried)];
        }

        private int ofTwo(int count, Tried tried) {
            long bits = random.nextLong();
            int first = Draw.first(bits, count);
            int one = server(first, tried);
            int other = server(Draw.other(bits, first, count), tried);
            long now = timed ? ticker.nanoTime() : 0;
            return lower(
                    one, cost.of(servers[one], weights[one], now), other, cost.of(servers[other], weights[other], now));
        }

        /**
         * The one of lower cost, the first of equals: which of the two came first is chance already. Without a branch,
         * which would be mispredicted every other time: numbers that are not negative are in the order of their bits.
         */
        private static int lower(int one, double costOfOne, int other, double costOfOther) {
            long difference = Double.doubleToRawLongBits(costOfOther) - Double.doubleToRawLongBits(costOfOne);
            return one ^ ((one ^ other) & (int) (difference >> 63));
        }

        private int ofStretches(int count, Tried tried) {
            long now = timed ? ticker.nanoTime() : 0;
            int turn = random.nextInt(count);
            int best = -1;
            double least = 0;
            int begin = 0;
            for (int i = 1; i <= choices; i++) {
                int end = (int) ((long) count * i / choices);
                int rank = turn + begin + random.nextInt(end - begin);
                int server = server(rank < count ? rank : rank - count, tried);
                double each = cost.of(servers[server], weights[server], now);
                if (best < 0 || each < least) {
                    best = server;
                    least = each;
                }
                begin = end;
            }
            return best;
        }

        /** Compares all; of n that are equal each stays in the hand with a chance of 1/n (reservoir sampling). */
        private int ofAll(Tried tried) {
            boolean fresh = tried.isEmpty();
            long now = timed ? ticker.nanoTime() : 0;
            long bits = random.nextLong();
            int best = -1;
            double least = 0;
            int ties = 0;
            for (int i = 0; i < servers.length; i++) {
                if (fresh || !tried.contains(servers[i].id())) {
                    double each = cost.of(servers[i], weights[i], now);
                    if (best < 0 || each < least) {
                        best = i;
                        least = each;
                        ties = 1;
                    } else if (each == least) {
                        ties++;
                        bits = Draw.next(bits);
                        best = Draw.first(bits, ties) == 0 ? i : best;
                    }
                }
            }
            return best;
        }

        private int server(int rank, Tried tried) {
            return tried.isEmpty() ? rank : Servers.untriedAt(servers, rank, tried);
        }
    }
}
