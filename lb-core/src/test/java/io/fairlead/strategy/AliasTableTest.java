package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.RequestFacts;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class AliasTableTest {
    @Test
    void theCellsShareOutExactlyByWeight() {
        SplittableRandom random = new SplittableRandom(2);
        for (int round = 0; round < 200; round++) {
            int[] weights = random.ints(1 + random.nextInt(20), 1, 1 + (1 << random.nextInt(1, 20)))
                    .toArray();
            AliasTable table = AliasTable.of(weights);
            double[] shares = new double[weights.length];
            for (int cell = 0; cell < weights.length; cell++) {
                // A cell changes owner once: where, by bisection.
                long base = (long) Math.ceil(cell * 0x1p32 / weights.length) << 32;
                int other = table.at(base | 0xFFFFFFFFL);
                long low = 0;
                long high = 0xFFFFFFFFL;
                while (low < high) {
                    long middle = (low + high) >>> 1;
                    if (table.at(base | middle) == other) {
                        high = middle;
                    } else {
                        low = middle + 1;
                    }
                }
                shares[cell] += low * 0x1p-32;
                shares[other] += 1 - low * 0x1p-32;
            }
            double sum = Weights.sum(weights);
            for (int i = 0; i < weights.length; i++) {
                assertThat(shares[i] / weights.length).isCloseTo(weights[i] / sum, Offset.offset(1e-8));
            }
        }
    }

    @Test
    void weightedRandomFollowsTheWeights() {
        List<TestCandidate> candidates = TestCandidate.of(1, 2, 3, 5, 8, 13, 21, 34);
        assertThat(ChiSquare.deviation(
                        Pickers.counts(Pickers.picker("weighted-random", candidates), 300_000), candidates, true))
                .isBetween(-3.0, 3.0);
    }

    @Test
    void theLeastWeightBesideTheGreatestIsDrawnAtItsRate() {
        List<TestCandidate> candidates = TestCandidate.of(1, 65_535);
        assertThat(Pickers.counts(Pickers.picker("weighted-random", candidates), 655_360)
                        .get("a"))
                .isBetween(2, 25);
    }

    @Test
    void weightedRandomFollowsTheWeightsAmongTheUntried() {
        List<TestCandidate> candidates = TestCandidate.of(1, 50, 3, 5);
        Picker picker = Pickers.picker("weighted-random", candidates);
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < 100_000; i++) {
            counts.merge(picker.pick(RequestFacts.NONE, Pickers.tried("b")).id(), 1, Integer::sum);
        }
        candidates.remove(1);
        assertThat(ChiSquare.deviation(counts, candidates, true)).isBetween(-3.0, 3.0);
    }
}
