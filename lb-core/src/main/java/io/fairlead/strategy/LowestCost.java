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
 *
 * <p>A server that fails at once is idle at once, and must not get the traffic for that: each level of
 * {@link Candidate#errorLevel} doubles its cost.
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
        private final RecentFailures failures;
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
            this.failures = context.failures();
            this.timed = cost.isTimed();
            this.counting = !timed && Weights.greatest(weights) == 1;
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            int count = Servers.countUntried(servers, tried);
            if (count <= 1) {
                return Servers.untriedFrom(servers, 0, tried);
            }
            boolean erring = failures.isAny();
            if (choices >= count) {
                return counting && !erring && count == servers.length
                        ? FewestRequests.among(servers, random)
                        : servers[ofAll(tried, erring)];
            }
            return servers[choices == 2 ? ofTwo(count, tried, erring) : ofStretches(count, tried, erring)];
        }

        private long now(boolean erring) {
            return timed || erring ? ticker.nanoTime() : 0;
        }

        private double cost(int server, long now, boolean erring) {
            double each = cost.of(servers[server], weights[server], now);
            return erring ? each * (1 << servers[server].errorLevel(now)) : each;
        }

        private int ofTwo(int count, Tried tried, boolean erring) {
            long bits = random.nextLong();
            int first = Draw.first(bits, count);
            int one = server(first, tried);
            int other = server(Draw.other(bits, first, count), tried);
            long now = now(erring);
            return lower(one, cost(one, now, erring), other, cost(other, now, erring));
        }

        /**
         * The one of lower cost, the first of equals: which of the two came first is chance already. Without a branch,
         * which would be mispredicted every other time: numbers that are not negative are in the order of their bits.
         */
        private static int lower(int one, double costOfOne, int other, double costOfOther) {
            long difference = Double.doubleToRawLongBits(costOfOther) - Double.doubleToRawLongBits(costOfOne);
            return one ^ ((one ^ other) & (int) (difference >> 63));
        }

        private int ofStretches(int count, Tried tried, boolean erring) {
            long now = now(erring);
            int turn = random.nextInt(count);
            int best = -1;
            double least = 0;
            int begin = 0;
            for (int i = 1; i <= choices; i++) {
                int end = (int) ((long) count * i / choices);
                int rank = turn + begin + random.nextInt(end - begin);
                int server = server(rank < count ? rank : rank - count, tried);
                double each = cost(server, now, erring);
                if (best < 0 || each < least) {
                    best = server;
                    least = each;
                }
                begin = end;
            }
            return best;
        }

        /** Compares all; of n that are equal each stays in the hand with a chance of 1/n (reservoir sampling). */
        private int ofAll(Tried tried, boolean erring) {
            boolean fresh = tried.isEmpty();
            long now = now(erring);
            long bits = random.nextLong();
            int best = -1;
            double least = 0;
            int ties = 0;
            for (int i = 0; i < servers.length; i++) {
                if (fresh || !tried.contains(servers[i].id())) {
                    double each = cost(i, now, erring);
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
