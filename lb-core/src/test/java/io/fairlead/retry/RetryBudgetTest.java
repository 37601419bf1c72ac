package io.fairlead.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RetryBudgetTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
    private final RetryBudget budget = new RetryBudget(now::get, 0.2, 10);

    @Test
    void startsWithOneSecondsWorth() {
        assertThat(retries()).isEqualTo(10);
    }

    @Test
    void earnsAFifthOfTheRequestsAndTenASecond() {
        retries();
        requests(1000);
        assertThat(retries()).isEqualTo(200);
        seconds(3);
        assertThat(retries()).isEqualTo(30);
    }

    @Test
    void keepsTenSecondsWorthAndNoMore() {
        retries();
        requests(36_000);
        seconds(3600);
        // 10 s of 10 requests a second: 20 of their share, 100 of the fixed part.
        assertThat(retries()).isEqualTo(120);
    }

    private void requests(int count) {
        for (int i = 0; i < count; i++) {
            budget.request();
        }
    }

    private void seconds(long seconds) {
        now.addAndGet(seconds * 1_000_000_000L);
    }

    private int retries() {
        int count = 0;
        while (budget.tryRetry()) {
            count++;
        }
        return count;
    }
}
