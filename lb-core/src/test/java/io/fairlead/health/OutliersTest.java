package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Thresholds that are worked out by hand, the first after the unit test of Envoy's {@code successRateEjectionThreshold}. */
final class OutliersTest {
    private static final SuccessRateEjection RATE = SuccessRateEjection.DEFAULT;
    private static final FailurePercentageEjection SHARE = FailurePercentageEjection.DEFAULT;

    @Test
    void theThresholdOfEnvoysOwnExample() {
        // Rates 50, 100, 100, 100, 100: mean 90, variance (1600 + 4 * 100) / 5 = 400, stdev 20, 90 - 1.9 * 20 = 52.
        Outliers outliers = outliers(50, 50, 100, 0, 100, 0, 100, 0, 100, 0);
        double threshold = outliers.successRateThreshold(RATE);
        assertThat(threshold).isEqualTo(0.52, within(1e-12));
        assertThat(outliers.isBelow(0, threshold, RATE)).isTrue();
        assertThat(outliers.isBelow(1, threshold, RATE)).isFalse();
    }

    @Test
    void theFactorIsInThousandthsOfAStandardDeviation() {
        Outliers outliers = outliers(50, 50, 100, 0, 100, 0, 100, 0, 100, 0);
        assertThat(outliers.successRateThreshold(RATE.withStdevFactor(1000))).isEqualTo(0.70, within(1e-12));
        assertThat(outliers.successRateThreshold(RATE.withStdevFactor(0))).isEqualTo(0.90, within(1e-12));
    }

    @Test
    void aRateAtTheThresholdIsNoOutlier() {
        Outliers all = outliers(70, 30, 70, 30, 70, 30, 70, 30, 70, 30);
        double threshold = all.successRateThreshold(RATE);
        assertThat(threshold).isEqualTo(0.7, within(1e-12));
        for (int i = 0; i < 5; i++) {
            assertThat(all.isBelow(i, 0.7, RATE)).isFalse();
        }
    }

    @Test
    void serversWithFewRequestsAreNeitherComparedNorCounted() {
        // The last has 99 requests: four are left of the five that there must be.
        assertThat(outliers(50, 50, 100, 0, 100, 0, 100, 0, 99, 0).successRateThreshold(RATE))
                .isNaN();
        // A sixth with a bad rate and few requests moves nothing.
        Outliers six = outliers(50, 50, 100, 0, 100, 0, 100, 0, 100, 0, 0, 99);
        double threshold = six.successRateThreshold(RATE);
        assertThat(threshold).isEqualTo(0.52, within(1e-12));
        assertThat(six.isBelow(5, threshold, RATE)).isFalse();
    }

    @Test
    void nothingIsBelowAThresholdThatThereIsNot() {
        assertThat(outliers(0, 100).isBelow(0, Double.NaN, RATE)).isFalse();
    }

    @Test
    void aFailurePercentageCountsFromTheThresholdOn() {
        Outliers outliers = outliers(15, 85, 16, 84, 0, 49, 0, 50, 100, 0, 100, 0);
        assertThat(outliers.canJudge(SHARE)).isTrue();
        assertThat(outliers.failsMost(0, SHARE)).as("85 of 100").isTrue();
        assertThat(outliers.failsMost(1, SHARE)).as("84 of 100").isFalse();
        assertThat(outliers.failsMost(2, SHARE)).as("too few requests").isFalse();
        assertThat(outliers.failsMost(3, SHARE)).as("just enough requests").isTrue();
        assertThat(outliers(0, 100, 0, 100, 0, 100, 0, 100).canJudge(SHARE))
                .as("four servers")
                .isFalse();
    }

    /** Successes and failures in turn. */
    private static Outliers outliers(long... counts) {
        long[] successes = new long[counts.length / 2];
        long[] failures = new long[counts.length / 2];
        for (int i = 0; i < successes.length; i++) {
            successes[i] = counts[2 * i];
            failures[i] = counts[2 * i + 1];
        }
        return new Outliers(successes, failures);
    }
}
