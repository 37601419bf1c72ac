package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test during which OkHttp warned of a leaked connection, which it does when the body of an answer is collected
 * unclosed. JUnit adds it to every class (META-INF/services).
 */
public final class LeakWatch implements BeforeAllCallback, AfterEachCallback {
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
    /** Held, since the log manager holds it weakly. */
    private static final Logger LOGGER = Logger.getLogger("okhttp3.OkHttpClient");

    private static final Handler HANDLER = new Handler() {
        @Override
        public void publish(LogRecord event) {
            String message = String.valueOf(event.getMessage());
            if (message.contains("was leaked")) {
                LEAKS.add(message);
            }
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };

    @Override
    public void beforeAll(ExtensionContext context) {
        // Adding it twice would count twice.
        LOGGER.removeHandler(HANDLER);
        LOGGER.addHandler(HANDLER);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertThat(drain()).as("leaks that OkHttp warned of").isEmpty();
    }

    /** The warnings until now, which are forgotten. */
    static List<String> drain() {
        List<String> drained = new ArrayList<>();
        for (String next = LEAKS.poll(); next != null; next = LEAKS.poll()) {
            drained.add(next);
        }
        return drained;
    }
}
