package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.pick;
import static io.fairlead.strategy.Pickers.picker;
import static io.fairlead.strategy.Pickers.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** While a server warms up, the weights of all are in finer units: only shares may change by that. */
class WeightScaleTest {
    static List<String> names() {
        return Strategies.names();
    }

    private static Strategy strategy(String name) {
        return Strategies.create(name, StrategyOptions.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("names")
    void onlyStrategiesThatShareByWeightAreToldOfPartsOfIt(String name) {
        assertThat(strategy(name).sharesByWeight())
                .isEqualTo(!Arrays.asList("random", "priority", "jump", "direct-hash")
                        .contains(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "weighted-direct-hash", "ring-hash", "maglev"})
    void aTableIsTheSameInUnitsOfAnyScale(String name) {
        List<String> homes = homes(picker(strategy(name), TestCandidate.of(1, 3, 2, 1, 1), null));
        assertThat(homes(picker(strategy(name), TestCandidate.of(100, 300, 200, 100, 100), null, 100)))
                .isEqualTo(homes);
        assertThat(homes(picker(strategy(name), TestCandidate.of(13, 39, 26, 13, 13), null, 13)))
                .isEqualTo(homes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "ring-hash", "maglev"})
    void aServerThatWarmsUpTakesKeysFromOthersAndMovesNextToNoneBetweenThem(String name) {
        List<String> before = homes(picker(strategy(name), TestCandidate.of(100, 100, 100, 10), null, 100));
        List<String> after = homes(picker(strategy(name), TestCandidate.of(100, 100, 100, 50), null, 100));
        int toIt = 0;
        int between = 0;
        for (int i = 0; i < before.size(); i++) {
            if (!before.get(i).equals(after.get(i))) {
                toIt += after.get(i).equals("d") ? 1 : 0;
                between += after.get(i).equals("d") ? 0 : 1;
            }
        }
        double share = (double) toIt / before.size();
        assertThat(share).isCloseTo(50.0 / 350 - 10.0 / 310, within(0.035));
        assertThat((double) between / before.size()).isLessThan(name.equals("maglev") ? 0.02 : 1e-9);
    }

    @Test
    void aRingDoesNotGrowWithTheScale() {
        RingTable plain = ring(1, 1, 1, 1);
        assertThat(ring(100, 100, 100, 100).size()).isEqualTo(plain.size()).isEqualTo(3 * 150);
        assertThat(ring(100, 100, 100, 10).size()).isEqualTo(2 * 150 + 15);
        assertThat(ring(100, 100, 100, 1).size()).isEqualTo(2 * 150 + 1);
    }

    private static RingTable ring(int scale, int... weights) {
        return new RingTable(
                TestCandidate.of(weights).toArray(new Candidate[0]), weights, scale, 150, HashFunction.XXHASH64);
    }

    @Test
    void wrrGivesAServerThatWarmsUpItsShareSpreadEvenly() {
        Picker picker = picker(strategy("wrr"), TestCandidate.of(100, 100, 10), null, 100);
        List<String> ids = ids(picker, 21 * 20);
        assertThat(ids.stream().filter("c"::equals).count()).isEqualTo(20);
        assertThat(longestRun(ids)).isEqualTo(1);
    }

    @Test
    void wrrGoesOnWithoutABurstWhateverTheScaleDoes() {
        Picker picker = picker(strategy("wrr"), TestCandidate.of(1, 1, 1), null);
        List<String> ids = new ArrayList<>(ids(picker, 4));
        for (int percent : new int[] {10, 15, 37, 50, 62, 99}) {
            picker = picker(strategy("wrr"), TestCandidate.of(100, 100, 100, percent), picker, 100);
            ids.addAll(ids(picker, 23));
            picker = picker(strategy("wrr"), TestCandidate.of(100, 100, 100, 99), picker, 100);
            ids.addAll(ids(picker, 7));
        }
        Picker last = picker(strategy("wrr"), TestCandidate.of(1, 1, 1, 1), picker);
        List<String> plain = ids(last, 400);
        ids.addAll(plain);
        assertThat(longestRun(ids)).isLessThanOrEqualTo(2);
        assertThat(plain.subList(20, 24)).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(plain.subList(24, 400)).isEqualTo(plain.subList(20, 396));
    }

    @Test
    void wrrComesBackToItsPlaceWhenAScaleComesAndGoes() {
        List<TestCandidate> plain = TestCandidate.of(5, 1, 1);
        Picker picker = picker(strategy("wrr"), plain, null);
        assertThat(sequence(picker, 3)).isEqualTo("aab");
        Picker finer = picker(strategy("wrr"), TestCandidate.of(500, 100, 100), picker, 100);
        assertThat(sequence(finer, 2)).isEqualTo("ac");
        Picker again = picker(strategy("wrr"), plain, finer);
        assertThat(sequence(again, 9)).isEqualTo("aaaabacaa");
    }

    @Test
    void manyScalesDoNotPushTheValuesOfWrrAway() {
        Picker picker = null;
        for (int i = 0; i < 1000; i++) {
            picker = picker(strategy("wrr"), TestCandidate.of(100, 100, 37), picker, 100);
            ids(picker, 5);
            picker = picker(strategy("wrr"), TestCandidate.of(1, 1, 1), picker);
            ids(picker, 2);
        }
        Picker withNew = picker(strategy("wrr"), TestCandidate.of(1, 1, 1, 1), picker);
        assertThat(ids(withNew, 8).stream().filter("d"::equals).count()).isEqualTo(2);
    }

    @Test
    void aFailureUnderWrrCostsOneUnitOfConfiguredWeightWhateverTheScale() {
        List<TestCandidate> candidates = TestCandidate.of(100, 100);
        Picker picker = picker(strategy("wrr"), candidates, null, 100);
        candidates.get(0).recentFailures.set(1);
        assertThat(sequence(picker, 2)).as("one turn is sat out").isEqualTo("bb");
        candidates.get(0).recentFailures.set(0);
        assertThat(sequence(picker, 6)).isEqualTo("ababab");
    }

    @Test
    void whatAServerHasLostUnderWrrIsKeptWhenTheScaleChanges() {
        List<TestCandidate> coarse = TestCandidate.of(8, 8);
        Picker picker = picker(strategy("wrr"), coarse, null);
        coarse.get(0).recentFailures.set(1);
        assertThat(sequence(picker, 2)).isEqualTo("bb");
        List<TestCandidate> fine = TestCandidate.of(80, 80);
        fine.get(0).recentFailures.set(1);
        assertThat(sequence(picker(strategy("wrr"), fine, picker, 10), 8)).isEqualTo("abbbabab");
    }

    @Test
    void roundRobinSpendsWholeWeightsAndSpreadsParts() {
        Picker picker = picker(strategy("round-robin"), TestCandidate.of(200, 100, 50), null, 100);
        assertThat(sequence(picker, 14)).isEqualTo("aabcaabaabcaab");
        Picker tenth = picker(strategy("round-robin"), TestCandidate.of(100, 100, 10), null, 100);
        assertThat(longestRun(ids(tenth, 210))).isEqualTo(1);
        assertThat(ids(tenth, 210).stream().filter("c"::equals).count()).isEqualTo(10);
    }

    @Test
    void roundRobinGoesOnWithWhoseTurnItIsWhenTheScaleChanges() {
        Picker picker = picker(strategy("round-robin"), TestCandidate.of(2, 1, 1), null);
        assertThat(sequence(picker, 1)).isEqualTo("a");
        Picker finer = picker(strategy("round-robin"), TestCandidate.of(200, 100, 30), picker, 100);
        assertThat(sequence(finer, 2)).isEqualTo("ab");
        Picker next = picker(strategy("round-robin"), TestCandidate.of(200, 100, 50), finer, 100);
        assertThat(longestRun(ids(next, 300))).isEqualTo(2);
        Picker plain = picker(strategy("round-robin"), TestCandidate.of(2, 1, 1), next);
        assertThat(ids(plain, 8).subList(4, 8)).containsExactlyInAnyOrder("a", "a", "b", "c");
    }

    @Test
    void roundRobinStepsOnThroughTheLapsWhileTheShareGrows() {
        Picker picker = picker(strategy("round-robin"), TestCandidate.of(1, 1, 1), null);
        long picked = 0;
        for (int percent = 10; percent <= 95; percent += 5) {
            picker = picker(strategy("round-robin"), TestCandidate.of(100, 100, percent), picker, 100);
            picked += ids(picker, 25).stream().filter("c"::equals).count();
        }
        // 18 steps of 25 requests: the sum of 25 * p / (2 + p).
        assertThat(picked).isBetween(80L, 120L);
    }

    @Test
    void aRoundWhosePartsAreTooManyIsSpentInWholeUnits() {
        int[] weights = new int[30_000];
        Arrays.fill(weights, 97);
        weights[0] = 10;
        assertThat(Round.of(weights, 97).length()).isEqualTo(30_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"wrr", "weighted-random", "round-robin", "hrw", "weighted-direct-hash", "ring-hash", "maglev"})
    void sharesAreThoseOfTheWeightsAtPresent(String name) {
        Picker picker = picker(strategy(name), TestCandidate.of(100, 100, 25), null, 100);
        int keys = 45_000;
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < keys; i++) {
            counts.merge(pick(picker, Pickers.from("client-" + i)).id(), 1, Integer::sum);
        }
        assertThat(counts.get("c") / (double) keys).isCloseTo(1.0 / 9, within(name.equals("ring-hash") ? 0.03 : 0.008));
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-requests", "p2c", "leasttime", "peak-ewma"})
    void strategiesByLoadSpreadRequestsUnderWayByTheWeightsAtPresent(String name) {
        List<TestCandidate> candidates = TestCandidate.of(100, 100, 25);
        candidates.forEach(candidate -> candidate.latencyNanos = 1e6);
        Picker picker = picker(strategy(name), candidates, null, 100);
        for (int i = 0; i < 900; i++) {
            ((TestCandidate) pick(picker)).inFlight.incrementAndGet();
        }
        assertThat(candidates.get(2).inFlight.get()).isBetween(95, 105);
    }

    @Test
    void aKeyStaysWithItsGroupAndGroupsAreDealtEvenly() {
        Picker picker = picker(strategy("maglev"), TestCandidate.equal(3), null);
        RandomSource none = () -> {
            throw new AssertionError("chance decides nothing where a key does");
        };
        int upper = 0;
        for (int i = 0; i < 10_000; i++) {
            long draw = picker.draw(Pickers.from("client-" + i), none);
            assertThat(picker.draw(Pickers.from("client-" + i), none)).isEqualTo(draw);
            upper += draw < 0 ? 1 : 0;
        }
        assertThat(upper).isBetween(4800, 5200);
        assertThat(picker(strategy("wrr"), TestCandidate.equal(3), null).draw(Pickers.from("a"), () -> 77))
                .isEqualTo(77);
    }

    private static List<String> homes(Picker picker) {
        List<String> homes = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            homes.add(pick(picker, Pickers.from("client-" + i)).id());
        }
        return homes;
    }

    private static List<String> ids(Picker picker, int count) {
        return sequence(picker, count)
                .chars()
                .mapToObj(c -> String.valueOf((char) c))
                .collect(Collectors.toList());
    }

    private static int longestRun(List<String> ids) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < ids.size(); i++) {
            run = i > 0 && ids.get(i).equals(ids.get(i - 1)) ? run + 1 : 1;
            longest = Math.max(longest, run);
        }
        return longest;
    }
}
