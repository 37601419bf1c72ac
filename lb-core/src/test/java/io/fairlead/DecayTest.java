package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DecayTest {
    @ParameterizedTest
    @ValueSource(doubles = {1, 7.3, 9_536.743_164_062_5, 5e6})
    void isTheExponentialOfTheMathLibrary(double tau) {
        Decay decay = new Decay(tau);
        for (int i = 0; i < 10_000; i++) {
            int units = (int) (i * tau / 100);
            assertThat(decay.after(units))
                    .as("e^-(%d / %s)", units, tau)
                    .isCloseTo(Math.exp(-units / tau), withinPercentage(0.002));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 1 << 20, Integer.MAX_VALUE})
    void isNothingAfterALongTime(int units) {
        assertThat(new Decay(1).after(units)).isZero();
    }
}
