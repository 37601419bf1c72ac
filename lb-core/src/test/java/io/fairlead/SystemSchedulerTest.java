package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SystemSchedulerTest {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @AfterEach
    void restore() {
        System.setErr(before);
    }

    @Test
    void whatATimersTaskThrowsIsLoggedBeItAnErrorOrNot() throws Exception {
        System.setErr(new PrintStream(log, true, "UTF-8"));
        try (Scheduler scheduler = Scheduler.system()) {
            scheduler.schedule(
                    () -> {
                        throw new AssertionError("an error of the test");
                    },
                    0);
            scheduler.schedule(
                    () -> {
                        throw new IllegalStateException("an exception of the test");
                    },
                    0);
            await().untilAsserted(() ->
                    assertThat(log.toString("UTF-8")).contains("an error of the test", "an exception of the test"));
        }
    }
}
