package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The formula of Envoy's slow start: max(min %, (age / window)^(1 / aggression)). */
final class SlowStartTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void aStraightLineFromTenPercent() {
        SlowStart start = SlowStart.of(Duration.ofSeconds(30));
        assertThat(start.factor(0)).isEqualTo(0.1);
        assertThat(start.factor(3 * SECOND)).isEqualTo(0.1);
        assertThat(start.factor(15 * SECOND)).isEqualTo(0.5);
        assertThat(start.factor(30 * SECOND - 1)).isLessThan(1);
        assertThat(start.factor(30 * SECOND)).isEqualTo(1);
        assertThat(start.factor(Long.MAX_VALUE)).isEqualTo(1);
    }

    /** Envoy's documentation, "Slow start mode": with an aggression of 2 a quarter of the window gives half the weight. */
    @Test
    void anAggressionBendsTheLine() {
        SlowStart start = SlowStart.of(Duration.ofSeconds(40)).withMinWeightPercent(1);
        assertThat(start.withAggression(2).factor(10 * SECOND)).isCloseTo(0.5, within(1e-12));
        assertThat(start.withAggression(0.5).factor(20 * SECOND)).isCloseTo(0.25, within(1e-12));
        assertThat(start.withAggression(2).factor(0)).isEqualTo(0.01);
    }

    @Test
    void anAgeBeforeItsBeginningIsNone() {
        assertThat(SlowStart.of(Duration.ofSeconds(1)).factor(-5)).isEqualTo(0.1);
    }

    @Test
    void refusesWhatIsOutOfRange() {
        SlowStart start = SlowStart.of(Duration.ofSeconds(1));
        assertThatThrownBy(() -> SlowStart.of(Duration.ZERO)).hasMessage("slowStart must be more than zero");
        assertThatThrownBy(() -> start.withAggression(0.05)).hasMessageContaining("0.05 is not between 0.1 and 10");
        assertThatThrownBy(() -> start.withAggression(Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> start.withMinWeightPercent(0)).hasMessageContaining("from 1 to 100, not 0");
        assertThatThrownBy(() -> start.withMinWeightPercent(101)).hasMessageContaining("not 101");
    }
}
