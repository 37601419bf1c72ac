package io.fairlead.health;

import io.fairlead.Endpoint;
import io.fairlead.Scheduler;
import io.fairlead.strategy.RandomSource;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The checks of one server, one after the other: the next begins an interval after the last one began, or at once when
 * that one took longer, so that the checks of a server never pile up behind each other. Jitter shortens each interval a
 * little, and never lengthens it.
 *
 * <p>Safe for use from any thread.
 */
public final class ActiveCheck implements AutoCloseable {
    private final Endpoint endpoint;
    private final HealthCheck check;
    private final Scheduler scheduler;
    private final RandomSource random;
    private final EndpointHealth health;
    private final Consumer<Verdict> told;

    private volatile boolean closed;
    private Scheduler.@Nullable Timer timer;

    /** Whether the last check ran out of time. Each check begins after the end of the one before. */
    private volatile boolean slow;

    private ActiveCheck(
            Endpoint endpoint,
            HealthCheck check,
            Scheduler scheduler,
            RandomSource random,
            EndpointHealth health,
            Consumer<Verdict> told) {
        this.endpoint = endpoint;
        this.check = check;
        this.scheduler = scheduler;
        this.random = random;
        this.health = health;
        this.told = told;
    }

    /**
     * Begins the checks of a server; the first runs at once.
     *
     * @param health says whether the server is down, for the interval of those that are
     * @param told is told of each verdict, on a thread that may block
     */
    public static ActiveCheck start(
            Endpoint endpoint,
            HealthCheck check,
            Scheduler scheduler,
            RandomSource random,
            EndpointHealth health,
            Consumer<Verdict> told) {
        ActiveCheck active = new ActiveCheck(endpoint, check, scheduler, random, health, told);
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
            timer = scheduler.schedule(this::run, delayNanos);
        }
    }

    private void run() {
        if (!closed) {
            long begin = scheduler.nanoTime();
            scheduler.prober().probe(endpoint, check, slow, verdict -> ended(verdict, begin));
        }
    }

    private void ended(Verdict verdict, long begin) {
        slow = verdict.isTimeout();
        try {
            if (!closed) {
                told.accept(verdict);
            }
        } finally {
            boolean isDown = verdict.error() != null && health.check() == CheckState.DOWN;
            Duration interval = isDown ? check.unhealthyInterval() : check.interval();
            later(Math.max(0, jittered(interval.toNanos()) - (scheduler.nanoTime() - begin)));
        }
    }

    private long jittered(long nanos) {
        if (check.jitter() == 0) {
            return nanos;
        }
        double share = (random.nextLong() >>> 11) * 0x1.0p-53;
        return nanos - (long) (nanos * (check.jitter() / 100.0) * share);
    }
}
