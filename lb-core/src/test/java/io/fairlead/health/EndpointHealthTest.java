package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class EndpointHealthTest {
    private static final long SECOND = 1_000_000_000L;
    private final EndpointHealth health = new EndpointHealth();

    @Test
    void countsChecksInARow() {
        assertThat(health.checkFailed(3)).isFalse();
        assertThat(health.checkFailed(3)).isFalse();
        assertThat(health.checkPassed(2)).isFalse();
        assertThat(health.checkFailed(3)).isFalse();
        assertThat(health.checkFailed(3)).isFalse();
        assertThat(health.checkFailed(3)).isTrue();
        assertThat(health.isUsable()).isFalse();
        assertThat(health.checkPassed(2)).isFalse();
        assertThat(health.checkFailed(3)).isFalse();
        assertThat(health.checkPassed(2)).isFalse();
        assertThat(health.checkPassed(2)).isTrue();
        assertThat(health.isUsable()).isTrue();
    }

    @Test
    void doublesTheBackoffUpToThirtySeconds() {
        long now = Long.MAX_VALUE - SECOND;
        for (long seconds : new long[] {1, 2, 4, 8, 16, 30, 30}) {
            assertThat(health.connectFailed(now)).isEqualTo(seconds * SECOND);
            assertThat(health.connectFailed(now + 1))
                    .as("together with the first")
                    .isZero();
            now += seconds * SECOND;
            assertThat(health.expire(now - 1)).isFalse();
            assertThat(health.expire(now)).isTrue();
        }
    }

    @Test
    void aPassedCheckEndsTheBackoff() {
        health.connectFailed(0);
        assertThat(health.isBackedOff()).isTrue();
        assertThat(health.checkPassed(2)).isTrue();
        assertThat(health.isBackedOff()).isFalse();
        assertThat(health.connectFailed(1)).isEqualTo(SECOND);
    }

    @Test
    void ejectionNeverLastsLongerThanTheGreatest() {
        PassiveHealthCheck check = PassiveHealthCheck.builder().build();
        long now = 0;
        long length = 0;
        for (int i = 1; i <= 20; i++) {
            length = health.eject(check, Detector.CONSECUTIVE_FAILURES, now);
            assertThat(length).isEqualTo(Math.min(300, 30L * i) * SECOND);
            now += length;
            health.expire(now);
        }
        assertThat(length).isEqualTo(300 * SECOND);
    }
}
