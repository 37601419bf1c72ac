package io.fairlead.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LearntLimitTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** Overflows while the test goes on. */
    private long now = Long.MAX_VALUE - SECOND;

    @Test
    void aimdRisesByOneARoundOfAnswersWhileHalfOfItIsInUse() {
        LearntLimit limit = aimd().initial(10).buildAt(now);
        for (int i = 0; i < 1000; i++) {
            limit.answered(MILLI, 4, now);
        }
        assertThat(limit.limit()).as("less than half is in use").isEqualTo(10);
        for (int i = 0; i < 10; i++) {
            limit.answered(MILLI, 5, now);
        }
        // 10 + 1/10 + 1/10.1 + ... after ten answers is 10.96, after eleven 11.05.
        assertThat(limit.limit()).isEqualTo(10);
        limit.answered(MILLI, 5, now);
        assertThat(limit.limit()).isEqualTo(11);
    }

    @Test
    void aFailureLowersItAndThoseThatWereUnderWayWithItDoNot() {
        LearntLimit limit = aimd().initial(100).buildAt(now);
        long begun = now;
        now += MILLI;
        for (int i = 0; i < 50; i++) {
            limit.failed(begun, now);
        }
        assertThat(limit.limit()).isEqualTo(90);
        limit.failed(now, now + MILLI);
        assertThat(limit.limit()).isEqualTo(81);
    }

    @Test
    void itStaysWithinItsBounds() {
        LearntLimit limit = aimd().initial(500).min(3).max(6).buildAt(now);
        assertThat(limit.limit()).isEqualTo(6);
        for (int i = 0; i < 100; i++) {
            limit.answered(MILLI, 6, now);
        }
        assertThat(limit.limit()).isEqualTo(6);
        for (int i = 0; i < 100; i++) {
            limit.failed(now, ++now);
        }
        assertThat(limit.limit()).isEqualTo(3);
    }

    @Test
    void theGradientRisesByItsQueueWhileTheLatencyStays() {
        LearntLimit limit = gradient().initial(20).buildAt(now);
        window(limit, 10, 20);
        // 20 * 0.8 + (20 * 1 + 4) * 0.2 = 20.8
        assertThat(limit.limit()).isEqualTo(20);
        window(limit, 10, 20);
        // 21.6
        assertThat(limit.limit()).isEqualTo(21);
    }

    @Test
    void theGradientFallsWhenTheLatencyRisesBeyondItsTolerance() {
        LearntLimit limit = gradient().initial(100).tolerance(1).buildAt(now);
        window(limit, 10, 100);
        // 100 * 0.8 + 104 * 0.2 = 100.8; the mean is 10 ms.
        window(limit, 40, 100);
        // The mean of both windows is 25 ms, gradient 25 / 40 = 0.625: 100.8 * 0.8 + (63 + 4) * 0.2 = 94.04.
        assertThat(limit.limit()).isEqualTo(94);
        window(limit, 1000, 100);
        // Not below one half: 94.04 * 0.8 + (47.02 + 4) * 0.2 = 85.436.
        assertThat(limit.limit()).isEqualTo(85);
    }

    @Test
    void theGradientIsDeafToAnIdleServerAndToFewAnswers() {
        LearntLimit limit = gradient().initial(100).buildAt(now);
        for (int i = 0; i < 20; i++) {
            window(limit, 10, 49);
        }
        assertThat(limit.limit()).isEqualTo(100);
        now += 60 * SECOND;
        for (int i = 0; i < 9; i++) {
            limit.answered(MILLI, 100, now);
        }
        assertThat(limit.limit()).isEqualTo(100);
        limit.answered(MILLI, 100, now);
        assertThat(limit.limit()).isEqualTo(100 + 0);
    }

    /** Ten answers of this latency, the last at the window's end. */
    private void window(LearntLimit limit, long millis, int inFlight) {
        for (int i = 0; i < 9; i++) {
            limit.answered(millis * MILLI, inFlight, now);
        }
        now += SECOND;
        limit.answered(millis * MILLI, inFlight, now);
    }

    private static Settings aimd() {
        return new Settings(AdaptiveLimit.builder());
    }

    private static Settings gradient() {
        return new Settings(AdaptiveLimit.builder()
                .algorithm(AdaptiveLimit.Algorithm.GRADIENT)
                .window(Duration.ofSeconds(1)));
    }

    private static final class Settings {
        private final AdaptiveLimit.Builder builder;

        Settings(AdaptiveLimit.Builder builder) {
            this.builder = builder;
        }

        Settings initial(int requests) {
            builder.initial(requests);
            return this;
        }

        Settings min(int requests) {
            builder.min(requests);
            return this;
        }

        Settings max(int requests) {
            builder.max(requests);
            return this;
        }

        Settings tolerance(double factor) {
            builder.tolerance(factor);
            return this;
        }

        LearntLimit buildAt(long now) {
            return LearntLimit.of(builder.build(), now);
        }
    }
}
