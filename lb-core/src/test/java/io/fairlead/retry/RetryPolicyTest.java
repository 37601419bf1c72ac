package io.fairlead.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.retry.RetryPolicy.Failure;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RetryPolicyTest {
    @Test
    void withNothingConfiguredTheContractHolds() {
        RetryPolicy policy = RetryPolicy.DEFAULT;

        assertThat(policy.attempts()).isEqualTo(3);
        assertThat(policy.perTryTimeout()).isZero();
        assertThat(policy.timeout()).isZero();
        assertThat(policy.methods()).containsExactlyInAnyOrder("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");
        assertThat(policy.statuses()).isEmpty();
        assertThat(policy.failures()).containsExactlyInAnyOrder(Failure.CONNECT, Failure.BROKEN);
        assertThat(policy.backoff()).isEqualTo(Backoff.NONE);
        assertThat(policy.budgetPercent()).isEqualTo(20);
        assertThat(policy.budgetPerSecond()).isEqualTo(10);
    }

    @Test
    void aLimitOfOneTryMeansThatItMayBeTriedAgainUnlessTheFailuresAreNamed() {
        RetryPolicy.Builder limited = RetryPolicy.builder().perTryTimeout(Duration.ofSeconds(2));

        assertThat(limited.build().failures()).contains(Failure.TIMEOUT);
        assertThat(limited.failures(Collections.singleton(Failure.CONNECT))
                        .build()
                        .failures())
                .containsExactly(Failure.CONNECT);
    }

    @Test
    void whatIsOutOfRangeIsRefused() {
        RetryPolicy.Builder policy = RetryPolicy.builder();

        assertThatThrownBy(() -> policy.attempts(0)).hasMessage("attempts must be from 1 to 10, not 0");
        assertThatThrownBy(() -> policy.statuses(Arrays.asList(503, 200))).hasMessageContaining("400 to 599, not 200");
        assertThatThrownBy(() -> policy.methods(Collections.singleton("GET /"))).hasMessageContaining("'GET /'");
        assertThatThrownBy(() -> policy.perTryTimeout(Duration.ofMillis(-1))).hasMessage("perTryTimeout is negative");
        assertThatThrownBy(() -> policy.budget(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Backoff.of(Duration.ofMillis(2), Duration.ofMillis(1), 0, false))
                .hasMessage("max is less than initial");
        assertThatThrownBy(() -> HedgePolicy.builder().quantile(1)).hasMessageContaining("0.5 to 0.999");
        assertThatThrownBy(() -> HedgePolicy.builder().quantile(Double.NaN)).hasMessageContaining("0.5 to 0.999");
    }

    @Test
    void policiesAreEqualByValue() {
        assertThat(RetryPolicy.builder().statuses(Arrays.asList(503, 502)).build())
                .isEqualTo(
                        RetryPolicy.builder().statuses(Arrays.asList(502, 503)).build())
                .isNotEqualTo(RetryPolicy.DEFAULT);
        assertThat(HedgePolicy.builder().build())
                .isEqualTo(HedgePolicy.builder().quantile(0.95).build());
    }

    @Test
    void waitsDoubleUpToTheMaximum() {
        Backoff backoff = Backoff.of(Duration.ofMillis(25), Duration.ofMillis(250), 0, false);

        assertThat(backoff.nanos(1, () -> -1L)).isEqualTo(25_000_000);
        assertThat(backoff.nanos(2, () -> -1L)).isEqualTo(50_000_000);
        assertThat(backoff.nanos(4, () -> -1L)).isEqualTo(200_000_000);
        assertThat(backoff.nanos(5, () -> -1L)).isEqualTo(250_000_000);
        assertThat(backoff.nanos(1000, () -> -1L)).isEqualTo(250_000_000);
    }

    @Test
    void theJitterTakesAwayNoMoreThanItsShare() {
        Backoff backoff = Backoff.of(Duration.ofMillis(100), Duration.ofMillis(100), 50, false);
        Random random = new Random(1);

        assertThat(backoff.nanos(1, () -> 0L)).isEqualTo(100_000_000);
        assertThat(backoff.nanos(1, () -> -1L)).isBetween(50_000_000L, 50_000_001L);
        long sum = 0;
        for (int i = 0; i < 10_000; i++) {
            sum += backoff.nanos(1, random::nextLong);
        }
        assertThat(sum / 10_000).isBetween(74_000_000L, 76_000_000L);
    }
}
