package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AfterCallTest {
    private final AtomicInteger runs = new AtomicInteger();
    private final AfterCall task = new AfterCall(runs::incrementAndGet);

    @Test
    void whatTheCallRunsItselfIsRunWhenItIsOver() {
        task.run();
        assertThat(runs).hasValue(0);

        task.returned();
        assertThat(runs).hasValue(1);
    }

    @Test
    void whatAnotherThreadRunsDoesNotWait() throws Exception {
        CompletableFuture.runAsync(task).get(10, TimeUnit.SECONDS);
        assertThat(runs).hasValue(1);

        task.returned();
        assertThat(runs).hasValue(1);
    }

    @Test
    void whatTheSameThreadRunsLaterIsRunThen() {
        task.returned();
        assertThat(runs).hasValue(0);

        task.run();
        assertThat(runs).hasValue(1);
    }
}
