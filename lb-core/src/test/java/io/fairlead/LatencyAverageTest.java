package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Values from Finagle's formula (w = e^(-Δt/τ), τ = 10 s), worked out apart from this code. */
final class LatencyAverageTest {
    private static final Duration TAU = Duration.ofSeconds(10);
    private static final long SECOND = 1_000_000_000L;

    @Test
    void knowsNothingBeforeTheFirstSample() {
        assertThat(new LatencyAverage(TAU).nanos(123)).isZero();
    }

    @Test
    void aPeakReplacesTheAverageAndALowerSampleIsBlendedIn() {
        LatencyAverage average = new LatencyAverage(TAU);
        average.observe(1_000_000, 0);
        average.observe(8_000_000, SECOND);
        assertThat(average.nanos(SECOND)).isCloseTo(8_000_000, within(20_000.0));
        // 5 s later: w = e^-0.5 = 0.60653; 8 ms * w + 2 ms * (1 - w) = 5.63918 ms
        average.observe(2_000_000, 6 * SECOND);
        assertThat(average.nanos(6 * SECOND)).isCloseTo(5_639_184, within(20_000.0));
    }

    @Test
    void decaysWithoutSamplesByAFactorOfEInTenSeconds() {
        LatencyAverage average = new LatencyAverage(TAU);
        average.observe(1_000_000, 0);
        assertThat(average.nanos(10 * SECOND)).isCloseTo(367_879, within(1_000.0));
    }

    @Test
    void survivesTheOverflowOfTheTicker() {
        LatencyAverage average = new LatencyAverage(TAU);
        long now = Long.MAX_VALUE - SECOND;
        average.observe(1_000_000, now);
        now += 10 * SECOND;
        assertThat(average.nanos(now)).isCloseTo(367_879, within(1_000.0));
    }
}
