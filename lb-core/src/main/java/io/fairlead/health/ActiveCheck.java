package io.fairlead.health;

import io.fairlead.Endpoint;
import io.fairlead.Scheduler;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The checks of one server, one after the other: the next begins an interval after the last one began, or at once when
 * that one took longer, so that checks never pile up behind a server that hangs.
 *
 * <p>Safe for use from any thread.
 */
public final class ActiveCheck implements AutoCloseable {
    private final Endpoint endpoint;
    private final HealthCheck check;
    private final Scheduler scheduler;
    private final Consumer<@Nullable String> verdict;

    private volatile boolean closed;
    private Scheduler.@Nullable Timer timer;

    private ActiveCheck(Endpoint endpoint, HealthCheck check, Scheduler scheduler, Consumer<@Nullable String> verdict) {
        this.endpoint = endpoint;
        this.check = check;
        this.scheduler = scheduler;
        this.verdict = verdict;
    }

    /**
     * Begins the checks of a server; the first runs at once.
     *
     * @param verdict is told after each check: null when it passed, else what was wrong; it must not block
     */
    public static ActiveCheck start(
            Endpoint endpoint, HealthCheck check, Scheduler scheduler, Consumer<@Nullable String> verdict) {
        ActiveCheck active = new ActiveCheck(endpoint, check, scheduler, verdict);
        active.later(0);
        return active;
    }

    /** The server that is checked. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Ends the checks; one that is running tells no verdict. */
    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private synchronized void later(long delayNanos) {
        if (!closed) {
            timer = scheduler.schedule(() -> scheduler.blocking().execute(this::run), delayNanos);
        }
    }

    private void run() {
        if (closed) {
            return;
        }
        long begin = scheduler.nanoTime();
        try {
            String error = failure();
            if (!closed) {
                verdict.accept(error);
            }
        } finally {
            later(Math.max(0, check.interval().toNanos() - (scheduler.nanoTime() - begin)));
        }
    }

    private @Nullable String failure() {
        try {
            Probe.run(endpoint, check, scheduler);
            return null;
        } catch (IOException | RuntimeException | LinkageError e) {
            // LinkageError: a TLS provider that cannot be initialised. The server cannot be checked, so it has not
            // passed.
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
    }
}
