package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CycleTest {
    @Test
    void theRunInIsPassedOnceAndThePeriodForEver() {
        Cycle cycle = new Cycle(2, 3, 0);
        int[] positions = new int[9];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = cycle.next();
        }
        assertThat(positions).containsExactly(0, 1, 2, 3, 4, 2, 3, 4, 2);
    }

    @Test
    void positionsAreTheRemaindersOfTheCount() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++) {
            int period = 1 + random.nextInt(1 << random.nextInt(1, 31));
            int count = random.nextInt(1 << 30);
            Cycle cycle = new Cycle(period);
            cycle.set(count);
            assertThat(cycle.next()).isEqualTo(count % period);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000, 65_536, (1 << 20) - 3, 1 << 30})
    void theSequenceHasNoSeamWhereTheCounterIsFoldedBack(int period) {
        int runIn = period == 1 << 30 ? 0 : 5;
        Cycle cycle = new Cycle(runIn, period, 0);
        long start = (1L << 30) - 2L * Math.min(period, 1000);
        cycle.set(start);
        for (long count = start; count < start + 4L * Math.min(period, 1000) + 10; count++) {
            assertThat(cycle.position()).isEqualTo((int) (runIn + (count - runIn) % period));
            assertThat(cycle.next()).isEqualTo((int) (runIn + (count - runIn) % period));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 2, (1L << 32) - 2, Long.MAX_VALUE - 1, -2})
    void noCountLeadsOutOfTheSequence(long preset) {
        Cycle cycle = new Cycle(4, 7, 0);
        cycle.set(preset);
        int before = cycle.next();
        for (int i = 0; i < 20; i++) {
            int next = cycle.next();
            assertThat(next).isBetween(0, 10);
            if (i > 4) {
                assertThat(next).isEqualTo(before == 10 ? 4 : before + 1);
            }
            before = next;
        }
    }
}
