package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.pick;
import static io.fairlead.strategy.Pickers.picker;
import static io.fairlead.strategy.Pickers.tried;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for all strategies that hash, or for some of them. */
class HashStrategyTest {
    private static final int KEYS = 100_000;

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev"})
    void theOrderOfArrivalDoesNotMatter(String name) {
        List<TestCandidate> candidates = TestCandidate.of(3, 1, 2, 3, 1, 2, 7);
        Picker one = picker(name, candidates);
        for (int seed = 0; seed < 5; seed++) {
            List<TestCandidate> shuffled = new ArrayList<>(candidates);
            Collections.shuffle(shuffled, new Random(seed));
            Picker other = picker(name, shuffled);
            for (int i = 0; i < 5000; i++) {
                Candidate first = pick(one, key(i));
                assertThat(pick(other, key(i))).isSameAs(first);
                assertThat(other.pick(key(i), tried(first.id()))).isSameAs(one.pick(key(i), tried(first.id())));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev"})
    void aKeyStaysWhereItIs(String name) {
        Picker picker = picker(name, TestCandidate.of(1, 2, 3, 4, 5));
        for (int i = 0; i < 1000; i++) {
            assertThat(pick(picker, key(i))).isSameAs(pick(picker, key(i)));
        }
    }

    @ParameterizedTest
    @CsvSource({"hrw", "jump", "direct-hash", "weighted-direct-hash"})
    void equalServersShareTheKeysAlike(String name) {
        List<TestCandidate> candidates = TestCandidate.equal(25);
        assertThat(ChiSquare.deviation(shares(picker(name, candidates)), candidates, false))
                .isBetween(-3.0, 3.0);
    }

    @ParameterizedTest
    @CsvSource({"hrw, 0.15", "weighted-direct-hash, 0.15", "maglev, 0.15", "ring-hash, 0.35"})
    void keysAreSharedByWeight(String name, double tolerance) {
        List<TestCandidate> candidates = TestCandidate.of(1, 2, 3, 4, 10);
        Map<String, Integer> shares = shares(picker(name, candidates));
        for (TestCandidate candidate : candidates) {
            double expected = KEYS / 20.0 * candidate.weight();
            assertThat((double) shares.get(candidate.id()))
                    .isBetween(expected * (1 - tolerance), expected * (1 + tolerance));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"xxhash64", "crc32", "fnv1a-fmix64"})
    void aRingOfAHundredServersIsInBalanceWithEachFunction(String function) {
        List<TestCandidate> candidates = TestCandidate.equal(100);
        StrategyOptions options = StrategyOptions.DEFAULT.withHashFunction(function);
        Map<String, Integer> shares = shares(picker(Strategies.create("ring-hash", options), candidates, null));
        assertThat(shares).hasSize(100);
        assertThat(Collections.max(shares.values())).isLessThan(1450);
        assertThat(Collections.min(shares.values())).isGreaterThan(650);
    }

    @Test
    void functionsOfTheRingGiveDifferentRings() {
        List<TestCandidate> candidates = TestCandidate.equal(10);
        Picker xx = picker("ring-hash", candidates);
        Picker crc = picker(
                Strategies.create("ring-hash", StrategyOptions.DEFAULT.withHashFunction("crc32")), candidates, null);
        int same = 0;
        for (int i = 0; i < 1000; i++) {
            same += pick(xx, key(i)) == pick(crc, key(i)) ? 1 : 0;
        }
        assertThat(same).isBetween(50, 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "ring-hash"})
    void aServerThatGoesMovesItsOwnKeysAloneAndEachToItsSecondChoice(String name) {
        List<TestCandidate> candidates = TestCandidate.of(1, 2, 2, 3, 4, 4, 5);
        for (int gone = 0; gone < candidates.size(); gone++) {
            List<TestCandidate> fewer = new ArrayList<>(candidates);
            TestCandidate away = fewer.remove(gone);
            Picker all = picker(name, candidates);
            Picker without = picker(name, fewer);
            for (int i = 0; i < KEYS / 10; i++) {
                Candidate first = pick(all, key(i));
                Candidate second = all.pick(key(i), tried(away.id()));
                assertThat(pick(without, key(i))).isSameAs(second);
                if (first != away) {
                    assertThat(second).isSameAs(first);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"hrw, 0", "ring-hash, 0", "maglev, 2500"})
    void aServerThatComesTakesItsShareAndMovesFewKeysBesides(String name, int besides) {
        List<TestCandidate> candidates = TestCandidate.equal(20);
        Picker before = picker(name, candidates.subList(0, 19));
        Picker after = picker(name, candidates);
        int taken = 0;
        int moved = 0;
        for (int i = 0; i < KEYS; i++) {
            Candidate now = pick(after, key(i));
            if (now == candidates.get(19)) {
                taken++;
            } else if (now != pick(before, key(i))) {
                moved++;
            }
        }
        assertThat(taken).isBetween(3_800, 6_200);
        assertThat(moved).isLessThanOrEqualTo(besides);
    }

    @Test
    void aRingWithMorePointsThanItHoldsStillGivesEachServerItsShare() {
        int[] weights = new int[500];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = 100 * (1 + i % 4);
        }
        List<TestCandidate> candidates = TestCandidate.of(weights);
        Map<String, Integer> shares = shares(picker("ring-hash", candidates));
        int[] byWeight = new int[5];
        candidates.forEach(c -> byWeight[c.weight() / 100] += shares.get(c.id()));
        for (int i = 1; i <= 4; i++) {
            assertThat(byWeight[i]).isBetween(9_500 * i, 10_500 * i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev"})
    void boundedLoadSendsTheOverflowToTheNextInOrder(String name) {
        List<TestCandidate> candidates = TestCandidate.equal(4);
        Strategy strategy = Strategies.create(name, StrategyOptions.DEFAULT.withBoundedLoad(1.25));
        Picker bounded = picker(strategy, candidates, null);
        Picker plain = picker(name, candidates);
        TestCandidate home = (TestCandidate) pick(plain, key(1));
        assertThat(pick(bounded, key(1))).isSameAs(home);
        // Eight under way in all: at most ceil(1.25 * 9 / 4) = 3 for each server.
        candidates.forEach(candidate -> candidate.inFlight.set(2));
        assertThat(pick(bounded, key(1))).isSameAs(home);
        // Ten: at most ceil(1.25 * 11 / 4) = 4.
        home.inFlight.set(4);
        Candidate next = pick(bounded, key(1));
        assertThat(next).isSameAs(plain.pick(key(1), tried(home.id())));
        assertThat(bounded.pick(key(1), tried("a", "b", "c", "d"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev"})
    void aFloodOfOneKeyStaysWithinTheBound(String name) {
        for (int count : new int[] {5, 100, 300}) {
            List<TestCandidate> candidates = TestCandidate.equal(count);
            Strategy strategy = Strategies.create(name, StrategyOptions.DEFAULT.withBoundedLoad(1.5));
            Picker picker = picker(strategy, candidates, null);
            for (int i = 0; i < 10 * count; i++) {
                ((TestCandidate) pick(picker, key(1))).inFlight.incrementAndGet();
            }
            assertThat(candidates)
                    .allSatisfy(candidate -> assertThat(candidate.inFlight()).isLessThanOrEqualTo(15 + 1));
        }
    }

    @Test
    void aBoundFollowsTheWeights() {
        List<TestCandidate> candidates = TestCandidate.of(1, 9);
        Strategy strategy = Strategies.create("hrw", StrategyOptions.DEFAULT.withBoundedLoad(1));
        Picker picker = picker(strategy, candidates, null);
        for (int i = 0; i < 100; i++) {
            ((TestCandidate) pick(picker, key(i))).inFlight.incrementAndGet();
        }
        assertThat(candidates.get(0).inFlight()).isBetween(1, 10);
        assertThat(candidates.get(1).inFlight()).isBetween(90, 99);
    }

    @Test
    void withEveryServerOverItsBoundTheFirstThatIsUntriedIsTaken() {
        List<TestCandidate> candidates = TestCandidate.equal(3);
        Strategy strategy = Strategies.create("maglev", StrategyOptions.DEFAULT.withBoundedLoad(1));
        Picker picker = picker(strategy, candidates, null);
        TestCandidate home = (TestCandidate) pick(picker, key(1));
        // Only the home is within its bound, and it has been tried.
        candidates.forEach(candidate -> candidate.inFlight.set(10));
        home.inFlight.set(1);
        assertThat(picker.pick(key(1), tried(home.id()))).isNotNull().isNotSameAs(home);
    }

    @Test
    void requestsOfWhichNothingIsKnownGoToOneServer() {
        Picker picker = picker("hrw", TestCandidate.equal(10));
        assertThat(pick(picker)).isSameAs(picker.pick(RequestFacts.NONE, Tried.NONE));
    }

    private static Map<String, Integer> shares(Picker picker) {
        Map<String, Integer> shares = new TreeMap<>();
        for (int i = 0; i < KEYS; i++) {
            shares.merge(pick(picker, key(i)).id(), 1, Integer::sum);
        }
        return shares;
    }

    private static RequestFacts key(int i) {
        return Pickers.from("10." + i / 65_536 + "." + i / 256 % 256 + "." + i % 256);
    }
}
