package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import org.jspecify.annotations.Nullable;

/**
 * {@code p2c}: of two different servers drawn by chance, the one with the lower {@code (inFlight + 1) / weight} (M.
 * Mitzenmacher, <i>The Power of Two Choices in Randomized Load Balancing</i>, 2001). A tie is broken by chance.
 */
final class PowerOfTwoChoices implements Strategy {
    @Override
    public String name() {
        return "p2c";
    }

    @Override
    public Picker picker(PickerContext context) {
        return new TwoPicker(Servers.array(context.candidates()), context.random());
    }

    private static final class TwoPicker implements Picker {
        private final Candidate[] servers;
        private final int[] weights;
        private final RandomSource random;

        TwoPicker(Candidate[] servers, RandomSource random) {
            this.servers = servers;
            this.weights = Servers.weights(servers);
            this.random = random;
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            if (!tried.isEmpty()) {
                return among(Servers.countUntried(servers, tried), tried);
            }
            int count = servers.length;
            if (count == 1) {
                return servers[0];
            }
            long bits = random.nextLong();
            int one = Draw.first(bits, count);
            return servers[lower(one, Draw.other(bits, one, count))];
        }

        private @Nullable Candidate among(int left, Tried tried) {
            if (left <= 1) {
                return Servers.untriedFrom(servers, 0, tried);
            }
            long bits = random.nextLong();
            int one = Draw.first(bits, left);
            int other = Draw.other(bits, one, left);
            return servers[lower(Servers.untriedAt(servers, one, tried), Servers.untriedAt(servers, other, tried))];
        }

        /** The one with less load, the first of equals: which of a pair comes first is chance already. */
        private int lower(int one, int other) {
            long loadOfOne = (servers[one].inFlight() + 1L) * weights[other];
            long loadOfOther = (servers[other].inFlight() + 1L) * weights[one];
            return loadOfOther < loadOfOne ? other : one;
        }
    }
}
