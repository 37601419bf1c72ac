package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.counts;
import static io.fairlead.strategy.Pickers.picker;
import static io.fairlead.strategy.Pickers.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RoundRobinTest {
    private final RoundRobin strategy = new RoundRobin();

    @Test
    void aWeightIsSpentBeforeTheNextServersTurn() {
        assertThat(sequence(picker("round-robin", TestCandidate.of(5, 1, 2)), 16))
                .isEqualTo("aaaaabccaaaaabcc");
    }

    @Test
    void everyRoundIsThatOfTheWeightsOneAfterTheOther() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 300; round++) {
            int[] weights = random.ints(1 + random.nextInt(26), 1, 2 + random.nextInt(100))
                    .toArray();
            if (round % 3 == 0) {
                weights[random.nextInt(weights.length)] = 5000;
            }
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < weights.length; i++) {
                for (int k = 0; k < weights[i]; k++) {
                    expected.append((char) ('a' + i));
                }
            }
            assertThat(sequence(
                            picker("round-robin", TestCandidate.of(weights)),
                            Arrays.stream(weights).sum()))
                    .isEqualTo(expected.toString());
        }
    }

    @Test
    void aNewListGoesOnWithTheServerWhoseTurnItIs() {
        List<TestCandidate> abc = TestCandidate.of(3, 2, 1);
        Picker first = picker(strategy, abc, null);
        assertThat(sequence(first, 4)).isEqualTo("aaab");
        Picker withoutA = picker(strategy, abc.subList(1, 3), first);
        assertThat(sequence(withoutA, 2)).isEqualTo("bc");
        Picker again = picker(strategy, abc, withoutA);
        assertThat(sequence(again, 2)).isEqualTo("bb");
    }

    @Test
    void whereTheServerWhoseTurnItIsHasGoneItGoesOnWithTheNext() {
        List<TestCandidate> abc = TestCandidate.of(2, 2, 2);
        Picker first = picker(strategy, abc, null);
        assertThat(sequence(first, 3)).isEqualTo("aab");
        assertThat(sequence(picker(strategy, Arrays.asList(abc.get(0), abc.get(2)), first), 4))
                .isEqualTo("ccaa");
    }

    @Test
    void weightsWhoseSumIsBeyondTheCounterShareInProportion() {
        int[] weights = new int[3000];
        Arrays.fill(weights, 1_000_000);
        weights[2999] = 500_000;
        Round round = Round.of(weights);
        assertThat(round.length()).isLessThanOrEqualTo(Cycle.MAX_LENGTH);
        assertThat((double) (round.start(3000) - round.start(2999)) / (round.start(1) - round.start(0)))
                .isBetween(0.4999, 0.5001);
    }

    @Test
    void oneServerGetsAll() {
        assertThat(counts(picker("round-robin", TestCandidate.of(65_535)), 10)).containsEntry("a", 10);
    }
}
