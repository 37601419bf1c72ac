package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class NaturalLogTest {
    @Test
    void isTheLogarithmToTenDigits() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 200_000; i++) {
            double x = i % 2 == 0 ? random.nextDouble() + 0x1p-60 : 1 - random.nextDouble() * Math.pow(2, -(i % 50));
            if (x > 0 && x != 1) {
                assertThat(NaturalLog.of(x) / StrictMath.log(x)).isCloseTo(1, Offset.offset(1e-10));
            }
        }
    }

    @Test
    void isZeroAtOneAndFiniteAtTheLeastScore() {
        assertThat(NaturalLog.of(1)).isZero();
        assertThat(NaturalLog.of(0x1p-54)).isCloseTo(StrictMath.log(0x1p-54), Offset.offset(1e-9));
    }
}
