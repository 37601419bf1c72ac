package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import org.jspecify.annotations.Nullable;

/** {@code random}: each candidate with the same chance, whatever its weight. */
final class UniformRandom implements Strategy {
    @Override
    public String name() {
        return "random";
    }

    @Override
    public boolean sharesByWeight() {
        return false;
    }

    @Override
    public Picker picker(PickerContext context) {
        return new UniformPicker(Servers.array(context.candidates()), context.random());
    }

    private static final class UniformPicker implements Picker {
        private final Candidate[] servers;
        private final RandomSource random;

        UniformPicker(Candidate[] servers, RandomSource random) {
            this.servers = servers;
            this.random = random;
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            if (tried.isEmpty()) {
                return servers[random.nextInt(servers.length)];
            }
            int left = Servers.countUntried(servers, tried);
            return left == 0 ? null : servers[Servers.untriedAt(servers, random.nextInt(left), tried)];
        }
    }
}
