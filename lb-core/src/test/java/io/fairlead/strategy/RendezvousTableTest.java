package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.pick;
import static io.fairlead.strategy.Pickers.picker;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RendezvousTableTest {
    private static final int KEYS = 100_000;

    @Test
    void keysAreSharedByWeight() {
        List<TestCandidate> candidates = TestCandidate.of(1, 1, 2, 3, 5, 8, 13, 65);
        Map<String, Integer> counts = new TreeMap<>();
        Picker picker = picker("hrw", candidates);
        for (int i = 0; i < KEYS; i++) {
            counts.merge(pick(picker, key(i)).id(), 1, Integer::sum);
        }
        assertThat(ChiSquare.deviation(counts, candidates, true)).isBetween(-3.0, 3.0);
    }

    @Test
    void aServerThatGoesMovesItsOwnKeysAloneAndEachToItsSecondChoice() {
        List<TestCandidate> candidates = TestCandidate.of(1, 2, 2, 3, 4);
        Picker all = picker("hrw", candidates);
        List<TestCandidate> fewer = new ArrayList<>(candidates);
        TestCandidate gone = fewer.remove(3);
        Picker without = picker("hrw", fewer);
        for (int i = 0; i < KEYS; i++) {
            RequestFacts request = key(i);
            Candidate first = pick(all, request);
            Candidate second = all.pick(request, Pickers.tried(gone.id()));
            assertThat(pick(without, request)).isSameAs(second);
            if (first != gone) {
                assertThat(second).isSameAs(first);
            }
        }
    }

    @Test
    void theOrderOfArrivalDoesNotMatter() {
        List<TestCandidate> candidates = TestCandidate.of(3, 1, 2, 3, 1, 2, 7);
        List<TestCandidate> shuffled = new ArrayList<>(candidates);
        Collections.shuffle(shuffled, new Random(1));
        Picker one = picker("hrw", candidates);
        Picker other = picker("hrw", shuffled);
        for (int i = 0; i < 10_000; i++) {
            assertThat(pick(one, key(i))).isSameAs(pick(other, key(i)));
        }
    }

    @Test
    void aPickReadsTheConfiguredKey() {
        Picker picker = Strategies.create("hrw", StrategyOptions.DEFAULT.withHashBy("$http_x_user"))
                .picker(new PickerContext(TestCandidate.equal(20), null, () -> 0, Pickers.random(1)));
        Map<String, Integer> servers = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            String user = "u" + i % 2;
            servers.merge(
                    picker.pick(
                                    new RequestFacts() {
                                        @Override
                                        public String header(String name) {
                                            return name.equals("x-user") ? user : null;
                                        }
                                    },
                                    Tried.NONE)
                            .id(),
                    1,
                    Integer::sum);
        }
        assertThat(servers.values()).containsExactly(50, 50);
    }

    private static RequestFacts key(int i) {
        return Pickers.from("10." + i / 65_536 + "." + i / 256 % 256 + "." + i % 256);
    }
}
