package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What tests of strategies do alike. */
final class Pickers {
    private Pickers() {}

    /** Random numbers that are the same in every run. */
    static RandomSource random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return random::nextLong;
    }

    static Picker picker(String strategy, List<? extends Candidate> candidates) {
        return picker(Strategies.create(strategy, StrategyOptions.DEFAULT), candidates, null);
    }

    static Picker picker(Strategy strategy, List<? extends Candidate> candidates, @Nullable Picker previous) {
        return picker(strategy, candidates, previous, 1);
    }

    /** The picker of candidates whose weights are in units of this scale. */
    static Picker picker(
            Strategy strategy, List<? extends Candidate> candidates, @Nullable Picker previous, int scale) {
        return strategy.picker(
                new PickerContext(candidates, previous, () -> 0, random(42), RecentFailures.uncounted(), scale));
    }

    /** The ids of so many picks, joined. */
    static String sequence(Picker picker, int picks) {
        StringBuilder ids = new StringBuilder();
        for (int i = 0; i < picks; i++) {
            ids.append(pick(picker).id());
        }
        return ids.toString();
    }

    static Candidate pick(Picker picker) {
        return pick(picker, RequestFacts.NONE);
    }

    static Candidate pick(Picker picker, RequestFacts request) {
        Candidate picked = picker.pick(request, Tried.NONE);
        if (picked == null) {
            throw new AssertionError("no server was picked");
        }
        return picked;
    }

    /** How often each id is picked in so many picks. */
    static Map<String, Integer> counts(Picker picker, int picks) {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < picks; i++) {
            counts.merge(pick(picker).id(), 1, Integer::sum);
        }
        return counts;
    }

    static RequestFacts from(String remoteAddress) {
        return new RequestFacts() {
            @Override
            public String remoteAddress() {
                return remoteAddress;
            }
        };
    }

    static Tried tried(String... ids) {
        Tried tried = Tried.create();
        for (String id : ids) {
            tried.add(id);
        }
        return tried;
    }
}
