package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import org.jspecify.annotations.Nullable;

/**
 * {@code least-requests}: the server with the fewest requests under way in proportion to its weight, this one counted
 * in: the least {@code (inFlight + 1) / weight}. Ties are broken by chance, so that idle servers share alike.
 *
 * <p>Every server is looked at, so a pick costs O(n); {@code p2c} is the O(1) form.
 */
final class LeastRequests implements Strategy {
    @Override
    public String name() {
        return "least-requests";
    }

    @Override
    public Picker picker(PickerContext context) {
        return new LeastPicker(Servers.array(context.candidates()), context.random());
    }

    private static final class LeastPicker implements Picker {
        private final Candidate[] servers;
        private final int[] weights;
        private final RandomSource random;

        LeastPicker(Candidate[] servers, RandomSource random) {
            this.servers = servers;
            this.weights = Servers.weights(servers);
            this.random = random;
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            boolean first = tried.isEmpty();
            int best = -1;
            long bestLoad = 1;
            long bestWeight = 0;
            int ties = 0;
            for (int i = 0; i < servers.length; i++) {
                Candidate server = servers[i];
                if (!first && tried.contains(server.id())) {
                    continue;
                }
                // Fractions are compared crosswise: exact, and no division.
                long load = server.inFlight() + 1L;
                long order = load * bestWeight - bestLoad * weights[i];
                if (order < 0) {
                    best = i;
                    bestLoad = load;
                    bestWeight = weights[i];
                    ties = 1;
                } else if (order == 0) {
                    ties++;
                }
            }
            if (best < 0) {
                return null;
            }
            return ties == 1 ? servers[best] : tied(best, bestLoad, bestWeight, random.nextInt(ties), tried);
        }

        /** The {@code rank}-th of those with the least load; the first of them if the traffic has since moved on. */
        private Candidate tied(int best, long bestLoad, long bestWeight, int rank, Tried tried) {
            int left = rank;
            for (int i = best; i < servers.length && left >= 0; i++) {
                Candidate server = servers[i];
                if ((server.inFlight() + 1L) * bestWeight == bestLoad * weights[i]
                        && !tried.contains(server.id())
                        && left-- == 0) {
                    return server;
                }
            }
            return servers[best];
        }
    }
}
