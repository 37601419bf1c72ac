package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WindowCountsTest {
    private static final long SECOND = 1_000_000_000L;

    private final WindowCounts counts = new WindowCounts(Duration.ofSeconds(10).toNanos(), 0);

    @Test
    void aThreadThatComesLateDoesNotWipeOutWhatOthersHaveCountedSince() {
        for (int i = 0; i < 5; i++) {
            counts.record(true, 10 * SECOND);
        }
        // It looked at the clock ten seconds ago, and was kept waiting: its slice has made room for the newest.
        counts.record(false, 0);
        assertThat(counts.reaches(5, 100, 10 * SECOND)).isTrue();
    }

    @Test
    void whatIsOlderThanTheWindowGivesWay() {
        counts.record(false, 0);
        counts.record(true, 10 * SECOND);
        assertThat(counts.reaches(1, 100, 10 * SECOND)).isTrue();
        assertThat(counts.reaches(2, 1, 10 * SECOND)).isFalse();
    }
}
