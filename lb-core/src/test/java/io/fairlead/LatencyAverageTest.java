package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Values from Finagle's formula (w = e^(-Δt/τ), τ = 10 s), worked out apart from this code. */
final class LatencyAverageTest {
    private static final LatencyAverage AVERAGE = new LatencyAverage(Duration.ofSeconds(10));
    private static final long SECOND = 1_000_000_000L;

    @Test
    void knowsNothingBeforeTheFirstSample() {
        assertThat(AVERAGE.nanos(0, 123)).isZero();
    }

    @Test
    void aPeakReplacesTheAverageAndALowerSampleIsBlendedIn() {
        long word = AVERAGE.observed(0, 1_000_000, 0);
        word = AVERAGE.observed(word, 8_000_000, SECOND);
        assertThat(AVERAGE.nanos(word, SECOND)).isCloseTo(8_000_000, within(20_000.0));
        // 5 s later: w = e^-0.5 = 0.60653; 8 ms * w + 2 ms * (1 - w) = 5.63918 ms
        word = AVERAGE.observed(word, 2_000_000, 6 * SECOND);
        assertThat(AVERAGE.nanos(word, 6 * SECOND)).isCloseTo(5_639_184, within(20_000.0));
    }

    @Test
    void decaysWithoutSamplesByAFactorOfEInTenSeconds() {
        long word = AVERAGE.observed(0, 1_000_000, 0);
        assertThat(AVERAGE.nanos(word, 10 * SECOND)).isCloseTo(367_879, within(1_000.0));
    }

    @Test
    void nothingIsLeftOfASampleOfLastMonth() {
        long word = AVERAGE.observed(0, 1_000_000, 0);
        assertThat(AVERAGE.nanos(word, Duration.ofDays(30).toNanos())).isZero();
    }

    @Test
    void aMomentThatAnotherThreadHasPassedAlreadyIsNoTimeAtAll() {
        long word = AVERAGE.observed(0, 1_000_000, 10 * SECOND);
        assertThat(AVERAGE.nanos(word, 9 * SECOND)).isCloseTo(1_000_000, within(1_000.0));
    }

    @Test
    void survivesTheOverflowOfTheTicker() {
        long now = Long.MAX_VALUE - SECOND;
        long word = AVERAGE.observed(0, 1_000_000, now);
        now += 10 * SECOND;
        assertThat(AVERAGE.nanos(word, now)).isCloseTo(367_879, within(1_000.0));
    }
}
