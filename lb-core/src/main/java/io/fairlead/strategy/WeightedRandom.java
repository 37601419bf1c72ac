package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import org.jspecify.annotations.Nullable;

/** {@code weighted-random}: each candidate with a chance in proportion to its weight. */
final class WeightedRandom implements Strategy {
    @Override
    public String name() {
        return "weighted-random";
    }

    @Override
    public Picker picker(PickerContext context) {
        return new WeightedPicker(Servers.array(context.candidates()), context.random());
    }

    private static final class WeightedPicker implements Picker {
        private final Candidate[] servers;
        private final int[] weights;
        private final AliasTable table;
        private final RandomSource random;

        WeightedPicker(Candidate[] servers, RandomSource random) {
            this.servers = servers;
            this.random = random;
            weights = Servers.weights(servers);
            table = AliasTable.of(weights);
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            long bits = random.nextLong();
            return tried.isEmpty() ? servers[table.at(bits)] : untried(bits, tried);
        }

        private @Nullable Candidate untried(long bits, Tried tried) {
            long sum = 0;
            for (int i = 0; i < servers.length; i++) {
                sum += tried.contains(servers[i].id()) ? 0 : weights[i];
            }
            // Of 53 bits, so that the sum may be above 2^32.
            long left = (long) ((bits >>> 11) * 0x1p-53 * sum);
            for (int i = 0; i < servers.length; i++) {
                if (!tried.contains(servers[i].id())) {
                    left -= weights[i];
                    if (left < 0) {
                        return servers[i];
                    }
                }
            }
            return null;
        }
    }
}
