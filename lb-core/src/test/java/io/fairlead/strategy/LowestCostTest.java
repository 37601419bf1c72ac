package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.counts;
import static io.fairlead.strategy.Pickers.picker;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LowestCostTest {
    private static final int PICKS = 100_000;

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 6, 8})
    void moreChoicesDrawDifferentServersEachWithTheSameChance(int choices) {
        List<TestCandidate> candidates = TestCandidate.equal(9);
        StrategyOptions options = StrategyOptions.DEFAULT.withChoices(choices);
        Picker picker = picker(Strategies.create("p2c", options), candidates, null);
        assertThat(ChiSquare.deviation(counts(picker, PICKS), candidates, false))
                .isBetween(-3.0, 3.0);
        // With one fewer busy server than choices there is always an idle one among them, if no server counts twice.
        for (int i = 0; i < choices - 1; i++) {
            candidates.get(2 * i % 9).inFlight.set(1);
        }
        Map<String, Integer> idle = counts(picker, PICKS);
        for (TestCandidate candidate : candidates) {
            assertThat(idle.containsKey(candidate.id())).isEqualTo(candidate.inFlight() == 0);
        }
    }

    @Test
    void leastRequestsMayCompareAFewOnly() {
        List<TestCandidate> candidates = TestCandidate.equal(20);
        candidates.forEach(candidate -> candidate.inFlight.set(1));
        candidates.get(7).inFlight.set(0);
        StrategyOptions two = StrategyOptions.DEFAULT.withChoices(2);
        int hits = counts(picker(Strategies.create("least-requests", two), candidates, null), PICKS)
                .get("h");
        // The idle one is in a tenth of all pairs.
        assertThat(hits).isBetween(9_600, 10_400);
        assertThat(counts(picker("least-requests", candidates), 1000)).containsEntry("h", 1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7, 10, 63, 100})
    void leastRequestsBreaksTiesByChance(int servers) {
        List<TestCandidate> candidates = TestCandidate.equal(servers);
        assertThat(ChiSquare.deviation(counts(picker("least-requests", candidates), PICKS), candidates, false))
                .isBetween(-3.0, 3.0);
        candidates.get(0).inFlight.set(1);
        candidates.get(servers / 2).inFlight.set(1);
        List<TestCandidate> idle = new ArrayList<>(candidates);
        idle.removeIf(candidate -> candidate.inFlight() > 0);
        assertThat(ChiSquare.deviation(counts(picker("least-requests", candidates), PICKS), idle, false))
                .isBetween(-3.0, 3.0);
    }

    @Test
    void leastRequestsBreaksTiesOfWeightedServersByChance() {
        List<TestCandidate> candidates = TestCandidate.of(2, 1, 2, 2, 2);
        candidates.forEach(candidate -> candidate.inFlight.set(1));
        Map<String, Integer> counts = counts(picker("least-requests", candidates), PICKS);
        assertThat(counts).doesNotContainKey("b");
        List<TestCandidate> tied = new ArrayList<>(candidates);
        tied.remove(1);
        assertThat(ChiSquare.deviation(counts, tied, false)).isBetween(-3.0, 3.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"leasttime", "peak-ewma"})
    void theFasterServerGetsTheRequestsUntilItIsBusy(String name) {
        List<TestCandidate> candidates = TestCandidate.equal(2);
        candidates.get(0).latencyNanos = 5e6;
        candidates.get(1).latencyNanos = 1e6;
        Picker picker = picker(name, candidates);
        assertThat(counts(picker, 100)).containsEntry("b", 100);
        candidates.get(1).inFlight.set(5);
        assertThat(counts(picker, 100)).containsEntry("a", 100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"leasttime", "peak-ewma"})
    void weightMakesAServerCheaper(String name) {
        List<TestCandidate> candidates = TestCandidate.of(1, 4);
        candidates.get(0).latencyNanos = 1e6;
        candidates.get(1).latencyNanos = 3e6;
        assertThat(counts(picker(name, candidates), 100)).containsEntry("b", 100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"leasttime", "peak-ewma"})
    void aServerThatHasNotAnsweredYetIsTriedOnceAtATime(String name) {
        List<TestCandidate> candidates = TestCandidate.equal(2);
        candidates.get(0).latencyNanos = 1e6;
        Picker picker = picker(name, candidates);
        assertThat(counts(picker, 10)).containsEntry("b", 10);
        candidates.get(1).inFlight.set(1);
        candidates.get(0).inFlight.set(1000);
        assertThat(counts(picker, 10)).containsEntry("a", 10);
    }

    @ParameterizedTest
    @CsvSource({"leasttime", "peak-ewma"})
    void aStalledServerLosesItsTrafficBeforeItAnswers(String name) {
        List<TestCandidate> candidates = TestCandidate.equal(2);
        candidates.get(0).latencyNanos = 1e6;
        candidates.get(0).inFlight.set(1);
        candidates.get(1).latencyNanos = 10e6;
        long[] now = {0};
        Picker picker = Strategies.create(name, StrategyOptions.DEFAULT)
                .picker(new PickerContext(candidates, null, () -> now[0], Pickers.random(3)));
        assertThat(counts(picker, 10)).containsEntry("a", 10);
        now[0] = 6_000_000;
        assertThat(counts(picker, 10)).containsEntry("b", 10);
        candidates.get(0).waitingSinceNanos = 5_500_000;
        assertThat(counts(picker, 10)).containsEntry("a", 10);
    }

    @Test
    void leasttimeComparesEveryServerOfASmallService() {
        List<TestCandidate> candidates = TestCandidate.equal(8);
        candidates.forEach(candidate -> candidate.latencyNanos = 2e6);
        candidates.get(5).latencyNanos = 1e6;
        assertThat(counts(picker("leasttime", candidates), 1000)).containsEntry("f", 1000);
        assertThat(counts(picker("peak-ewma", candidates), 1000)).hasSize(8);
    }
}
