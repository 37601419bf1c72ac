package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.counts;
import static io.fairlead.strategy.Pickers.pick;
import static io.fairlead.strategy.Pickers.picker;
import static io.fairlead.strategy.Pickers.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.RequestFacts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RandomStrategiesTest {
    private static final int PICKS = 200_000;

    @Test
    void randomIsUniformWhateverTheWeights() {
        List<TestCandidate> candidates = TestCandidate.of(1, 2, 3, 40, 5, 6, 7);
        Map<String, Integer> counts = counts(picker("random", candidates), PICKS);
        assertThat(ChiSquare.deviation(counts, candidates, false)).isBetween(-3.0, 3.0);
    }

    @Test
    void randomIsUniformAmongTheUntried() {
        List<TestCandidate> candidates = TestCandidate.equal(7);
        Picker picker = picker("random", candidates);
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < PICKS; i++) {
            counts.merge(picker.pick(RequestFacts.NONE, tried("b", "g")).id(), 1, Integer::sum);
        }
        candidates.removeIf(
                candidate -> candidate.id().equals("b") || candidate.id().equals("g"));
        assertThat(counts).hasSize(5);
        assertThat(ChiSquare.deviation(counts, candidates, false)).isBetween(-3.0, 3.0);
    }

    @Test
    void idleServersOfOneWeightShareAlikeUnderP2c() {
        List<TestCandidate> candidates = TestCandidate.equal(9);
        assertThat(ChiSquare.deviation(counts(picker("p2c", candidates), PICKS), candidates, false))
                .isBetween(-3.0, 3.0);
    }

    @Test
    void p2cNeverComparesAServerWithItself() {
        List<TestCandidate> candidates = TestCandidate.equal(3);
        candidates.get(2).inFlight.set(1);
        Picker picker = picker("p2c", candidates);
        assertThat(counts(picker, 10_000)).containsOnlyKeys("a", "b");
    }

    @Test
    void everyOrderedPairIsDrawnAlike() {
        RandomSource random = Pickers.random(5);
        List<TestCandidate> pairs = TestCandidate.equal(20);
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < PICKS; i++) {
            long bits = random.nextLong();
            int one = Draw.first(bits, 5);
            int other = Draw.other(bits, one, 5);
            assertThat(other).isBetween(0, 4).isNotEqualTo(one);
            counts.merge(pairs.get(one * 4 + (other < one ? other : other - 1)).id(), 1, Integer::sum);
        }
        assertThat(ChiSquare.deviation(counts, pairs, false)).isBetween(-3.0, 3.0);
    }

    @Test
    void p2cTakesTheLowerLoadForItsWeight() {
        List<TestCandidate> candidates = TestCandidate.of(1, 4);
        Picker picker = picker("p2c", candidates);
        candidates.get(1).inFlight.set(2);
        assertThat(pick(picker).id()).isEqualTo("b");
        candidates.get(1).inFlight.set(4);
        assertThat(pick(picker).id()).isEqualTo("a");
    }

    @Test
    void leastRequestsTakesTheLowestLoadForItsWeight() {
        List<TestCandidate> candidates = TestCandidate.of(1, 2, 65_535);
        Picker picker = picker("least-requests", candidates);
        assertThat(pick(picker).id()).isEqualTo("c");
        candidates.get(2).inFlight.set(65_535);
        assertThat(pick(picker).id()).isEqualTo("b");
        candidates.get(1).inFlight.set(5);
        assertThat(pick(picker).id()).isEqualTo("a");
        assertThat(picker.pick(RequestFacts.NONE, tried("a")).id()).isEqualTo("c");
    }

    @Test
    void leastRequestsBreaksTiesByChance() {
        List<TestCandidate> candidates = TestCandidate.equal(6);
        candidates.get(0).inFlight.set(1);
        Map<String, Integer> counts = counts(picker("least-requests", candidates), PICKS);
        assertThat(counts).doesNotContainKey("a");
        assertThat(ChiSquare.deviation(counts, candidates.subList(1, 6), false)).isBetween(-3.0, 3.0);
    }

    @Test
    void aBrokenCounterOfRequestsDoesNotBreakThePick() {
        List<TestCandidate> candidates = TestCandidate.of(65_535, 1);
        candidates.get(0).inFlight.set(Integer.MAX_VALUE);
        candidates.get(1).inFlight.set(Integer.MAX_VALUE);
        assertThat(pick(picker("least-requests", candidates)).id()).isEqualTo("a");
        assertThat(pick(picker("p2c", candidates)).id()).isEqualTo("a");
    }
}
