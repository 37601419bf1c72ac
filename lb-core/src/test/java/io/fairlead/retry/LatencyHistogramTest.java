package io.fairlead.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LatencyHistogramTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
    private final LatencyHistogram histogram = new LatencyHistogram(now::get);

    @Test
    void everyTimeIsBelowTheBoundOfItsClassAndNotFarBelow() {
        Random random = new Random(2);
        for (int i = 0; i < 100_000; i++) {
            long nanos = (1L << 14) + (random.nextLong() >>> (26 + random.nextInt(20)));
            long bound = LatencyHistogram.upperBound(LatencyHistogram.classOf(nanos));
            assertThat(nanos).isLessThan(bound);
            assertThat((double) bound / nanos).isLessThanOrEqualTo(1 + 1.0 / 16 + 1e-9);
        }
        assertThat(LatencyHistogram.classOf(0)).isZero();
        assertThat(LatencyHistogram.upperBound(LatencyHistogram.classOf(Long.MAX_VALUE)))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void classesFollowEachOtherWithoutGap() {
        int last = LatencyHistogram.classOf(Long.MAX_VALUE);
        for (int i = 0; i < last; i++) {
            assertThat(LatencyHistogram.classOf(LatencyHistogram.upperBound(i))).isEqualTo(i + 1);
        }
    }

    @Test
    void quantilesAreThoseOfTheSampleToSixPercent() {
        Random random = new Random(3);
        double[] sample = new double[10_000];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = 1e6 * Math.exp(random.nextGaussian());
            histogram.add((long) sample[i]);
        }
        Arrays.sort(sample);
        for (double quantile : new double[] {0.5, 0.9, 0.95, 0.99}) {
            double exact = sample[(int) Math.ceil(quantile * sample.length) - 1];
            assertThat(histogram.quantile(quantile) / exact).as("%s", quantile).isBetween(1.0, 1.07);
        }
    }

    @Test
    void tooFewSamplesSayNothing() {
        for (int i = 0; i < LatencyHistogram.MIN_SAMPLES - 1; i++) {
            histogram.add(1_000_000);
        }
        assertThat(histogram.quantile(0.5)).isEqualTo(Long.MAX_VALUE);
        histogram.add(1_000_000);
        assertThat(histogram.quantile(0.5)).isBetween(1_000_000L, 1_070_000L);
    }

    @Test
    void whatIsOldIsForgottenByHalvesEveryTenSeconds() {
        for (int i = 0; i < 1600; i++) {
            histogram.add(100_000_000);
        }
        seconds(40);
        for (int i = 0; i < 101; i++) {
            histogram.add(1_000_000);
        }
        // 100 of the old ones are left beside 101 new ones.
        assertThat(histogram.quantile(0.5)).isLessThan(2_000_000);
        assertThat(histogram.quantile(0.51)).isGreaterThan(90_000_000);
        seconds(3600);
        assertThat(histogram.quantile(0.5)).as("nothing is left").isEqualTo(Long.MAX_VALUE);
    }

    private void seconds(long seconds) {
        now.addAndGet(seconds * 1_000_000_000L);
    }
}
