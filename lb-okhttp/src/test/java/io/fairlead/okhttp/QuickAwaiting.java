package io.fairlead.okhttp;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What is awaited here takes microseconds, and Awaitility's own first look comes after a tenth of a second: with some two
 * hundred tests that is most of their time. JUnit adds it to every class (META-INF/services).
 */
public final class QuickAwaiting implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
    }
}
