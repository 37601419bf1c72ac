package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.pick;
import static io.fairlead.strategy.Pickers.picker;
import static io.fairlead.strategy.Pickers.sequence;
import static io.fairlead.strategy.Pickers.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.RequestFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SmoothWeightedTest {
    private final SmoothWeighted strategy = new SmoothWeighted();

    /** nginx, src/http/ngx_http_upstream_round_robin.c: the sequence in its commit message of 2012. */
    @Test
    void weightsOfFiveOneOneGiveNginxSequence() {
        assertThat(sequence(picker("wrr", TestCandidate.of(5, 1, 1)), 14)).isEqualTo("aabacaaaabacaa");
    }

    @Test
    void equalWeightsGiveTheOrderOfTheList() {
        assertThat(sequence(picker("wrr", TestCandidate.of(3, 3, 3, 3)), 9)).isEqualTo("abcdabcda");
    }

    @Test
    void everySequenceIsThatOfTheScanOverCurrentValues() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 300; round++) {
            int[] weights = random.ints(1 + random.nextInt(20), 1, 2 + random.nextInt(40))
                    .toArray();
            List<TestCandidate> candidates = TestCandidate.of(weights);
            Nginx nginx = new Nginx();
            Picker picker = picker("wrr", candidates);
            for (int i = 0; i < 2 * Arrays.stream(weights).sum() + 3; i++) {
                assertThat(pick(picker)).isSameAs(nginx.pick(candidates));
            }
        }
    }

    @Test
    void extremeWeightsKeepTheExactSequence() {
        for (int[] weights : new int[][] {{1, 65_535}, {65_535, 1, 1}, {1_000_000, 1}, {300_000, 200_001, 7}}) {
            List<TestCandidate> candidates = TestCandidate.of(weights);
            Nginx nginx = new Nginx();
            Picker picker = picker("wrr", candidates);
            for (int i = 0; i < 150_000; i++) {
                assertThat(pick(picker)).isSameAs(nginx.pick(candidates));
            }
        }
    }

    @Test
    void aChangeOfTheListGoesOnFromTheCurrentValues() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 300; round++) {
            List<TestCandidate> all =
                    TestCandidate.of(random.ints(2 + random.nextInt(8), 1, 12).toArray());
            Nginx nginx = new Nginx();
            Picker picker = null;
            for (int change = 0; change < 12; change++) {
                List<TestCandidate> present = new ArrayList<>(all);
                present.removeIf(candidate -> random.nextInt(4) == 0);
                if (present.isEmpty()) {
                    continue;
                }
                picker = picker(strategy, present, picker);
                for (int i = random.nextInt(60); i > 0; i--) {
                    assertThat(pick(picker)).isSameAs(nginx.pick(present));
                }
            }
        }
    }

    @Test
    void aChangedWeightGoesOnFromTheCurrentValues() {
        SplittableRandom random = new SplittableRandom(12);
        Nginx nginx = new Nginx();
        Picker picker = null;
        for (int change = 0; change < 300; change++) {
            List<TestCandidate> candidates =
                    TestCandidate.of(random.ints(5, 1, 9).toArray());
            picker = picker(strategy, candidates, picker);
            for (int i = random.nextInt(60); i > 0; i--) {
                assertThat(pick(picker).id()).isEqualTo(nginx.pick(candidates).id());
            }
        }
    }

    @Test
    void aServerThatIsAwayForAMomentDoesNotDisturbTheSequence() {
        List<TestCandidate> candidates = TestCandidate.of(5, 1, 1);
        Picker before = picker(strategy, candidates, null);
        assertThat(sequence(before, 3)).isEqualTo("aab");
        Picker without = picker(strategy, candidates.subList(0, 2), before);
        Picker again = picker(strategy, candidates, without);
        assertThat(sequence(again, 11)).isEqualTo("acaaaabacaa");
    }

    @Test
    void moreDistinctWeightsThanCanBeLaidOutExactlyStillShareExactly() {
        int[] weights = new int[1000];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = i + 1;
        }
        List<TestCandidate> candidates = TestCandidate.of(weights);
        Map<String, Integer> counts = Pickers.counts(picker("wrr", candidates), 500_500);
        for (TestCandidate candidate : candidates) {
            assertThat(counts).containsEntry(candidate.id(), candidate.weight());
        }
    }

    @Test
    void weightsBeyondTheLongestPeriodShareInProportion() {
        List<TestCandidate> candidates = TestCandidate.of(1_000_000, 999_999, 500_000, 1);
        Map<String, Integer> counts = Pickers.counts(picker("wrr", candidates), 2_500_000);
        assertThat(counts.get("a")).isBetween(999_900, 1_000_100);
        assertThat(counts.get("b")).isBetween(999_900, 1_000_100);
        assertThat(counts.get("c")).isBetween(499_900, 500_100);
        assertThat(counts.get("d")).isBetween(1, 4);
    }

    @Test
    void aFailureCostsTurnsUntilTheWeightHasClimbedBack() {
        List<TestCandidate> candidates = TestCandidate.of(8, 8);
        Picker picker = picker("wrr", candidates);
        candidates.get(0).recentFailures.set(1);
        // a's weight is 4, 5, 6, 7 at its next turns, of which it takes one whenever 8 have come together.
        assertThat(sequence(picker, 10)).isEqualTo("bbabbbabab");
        candidates.get(0).recentFailures.set(0);
        assertThat(sequence(picker, 4)).isEqualTo("abab");
    }

    @Test
    void aServerThatFailsAgainAndAgainGetsLessButIsNotForgotten() {
        List<TestCandidate> candidates = TestCandidate.of(10, 10);
        Picker picker = picker("wrr", candidates);
        int picked = 0;
        for (int i = 0; i < 1000; i++) {
            if (pick(picker) == candidates.get(0)) {
                picked++;
                candidates.get(0).recentFailures.incrementAndGet();
            }
        }
        assertThat(picked).isBetween(50, 250);
    }

    @Test
    void withAllServersFailingOneIsStillPicked() {
        List<TestCandidate> candidates = TestCandidate.of(1, 2, 3);
        Picker picker = picker("wrr", candidates);
        for (int i = 0; i < 100; i++) {
            candidates.forEach(candidate -> candidate.recentFailures.incrementAndGet());
            assertThat(candidates).contains((TestCandidate) pick(picker));
        }
    }

    @Test
    void substitutesOfATriedServerShareByWeight() {
        Picker picker = picker("wrr", TestCandidate.of(6, 2, 1));
        StringBuilder picked = new StringBuilder();
        for (int i = 0; i < 900; i++) {
            Candidate candidate = picker.pick(RequestFacts.NONE, tried("a"));
            assertThat(candidate).isNotNull();
            picked.append(candidate.id());
        }
        assertThat(picked.chars().filter(c -> c == 'b').count()).isBetween(590L, 610L);
    }

    @Test
    void placesOfServersThatNeverComeBackAreForgotten() {
        Picker picker = null;
        for (int i = 0; i < 1000; i++) {
            picker = picker(
                    strategy, Arrays.asList(new TestCandidate("x" + i, 1), new TestCandidate("y" + i, 1)), picker);
            pick(picker);
        }
        assertThat(((SmoothPicker) picker).places()).hasSizeLessThan(100);
    }

    /** The algorithm as nginx has it: a scan over current values, which servers that are down keep. */
    private static final class Nginx {
        private final Map<String, Integer> currents = new HashMap<>();

        Candidate pick(List<TestCandidate> candidates) {
            TestCandidate best = null;
            int total = 0;
            for (TestCandidate candidate : candidates) {
                int current = currents.merge(candidate.id(), candidate.weight(), Integer::sum);
                total += candidate.weight();
                if (best == null || current > currents.get(best.id())) {
                    best = candidate;
                }
            }
            currents.merge(best.id(), -total, Integer::sum);
            return best;
        }
    }
}
