package io.fairlead.health;

import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one server: the state machine that {@link CircuitBreaker} describes. While it is closed nothing
 * here takes a lock.
 *
 * <p>Each time that it becomes half-open its probes get a ticket with a new number, so that the end of a probe of an
 * earlier time, or of a request that began before it opened, decides nothing.
 *
 * <p>Safe for use from any thread.
 */
public final class Breaker {
    /** What {@link #tryEnter} gives where the breaker is closed. */
    public static final int NO_PROBE = 0;
    /** What {@link #tryEnter} gives where the request must go elsewhere. */
    public static final int REFUSED = -1;

    /** The states. */
    public enum State {
        /** Every request is let through. */
        CLOSED,
        /** None is. */
        OPEN,
        /** A counted number is. */
        HALF_OPEN
    }

    private final CircuitBreaker settings;

    private volatile State state = State.CLOSED;
    private volatile WindowCounts counts;

    // Guarded by this.
    private int ticket;
    private int probesInFlight;
    private int successes;
    private int openings;
    private long openUntil;

    /** A closed breaker that has seen nothing. */
    public Breaker(CircuitBreaker settings, long now) {
        this.settings = settings;
        counts = counts(now);
        // Not the tickets of another breaker that this one may have replaced.
        ticket = 1 + (int) (now >>> 8 & 0xFFFFFFF);
    }

    private WindowCounts counts(long now) {
        return new WindowCounts(settings.window().toNanos(), now);
    }

    /** By what it opens and closes. */
    public CircuitBreaker settings() {
        return settings;
    }

    /** Its state at this moment. */
    public State state() {
        return state;
    }

    /**
     * Asks for a request to be let through.
     *
     * @return {@link #NO_PROBE}: it is, and needs not be counted; {@link #REFUSED}; else it is a probe, and this its
     *     ticket, which goes to {@link #ended} or {@link #returned}, once
     */
    public int tryEnter() {
        if (state == State.CLOSED) {
            return NO_PROBE;
        }
        synchronized (this) {
            if (state == State.CLOSED) {
                return NO_PROBE;
            }
            if (state == State.OPEN || probesInFlight >= probesAllowed()) {
                return REFUSED;
            }
            probesInFlight++;
            return ticket;
        }
    }

    /** Whether {@link #tryEnter} would let a request through at this moment. */
    public boolean admits() {
        if (state == State.CLOSED) {
            return true;
        }
        synchronized (this) {
            return state == State.CLOSED || (state == State.HALF_OPEN && probesInFlight < probesAllowed());
        }
    }

    /** No more probes than are still needed to close it. */
    private int probesAllowed() {
        return Math.min(settings.probes(), settings.requiredSuccesses() - successes);
    }

    /** A probe ended without a verdict, or was not sent: its place is free for another. */
    public synchronized void returned(int probe) {
        if (probe == ticket && state == State.HALF_OPEN) {
            probesInFlight--;
        }
    }

    /**
     * Counts the end of a request that was let through.
     *
     * @param probe what {@link #tryEnter} gave
     * @param began when the request was let through
     * @return the state that this has led to; null: the one before
     */
    public @Nullable State ended(int probe, boolean failed, long began, long now) {
        if (state == State.CLOSED && probe == NO_PROBE) {
            WindowCounts counting = counts;
            if (!counting.isOf(began)) {
                return null;
            }
            counting.record(failed, now);
            return failed && counting.reaches(settings.minRequests(), settings.failurePercent(), now)
                    ? openIfClosed(counting, now)
                    : null;
        }
        return probe == NO_PROBE ? null : probeEnded(probe, failed, now);
    }

    private synchronized @Nullable State openIfClosed(WindowCounts judged, long now) {
        return state == State.CLOSED && counts == judged ? open(now) : null;
    }

    private synchronized @Nullable State probeEnded(int probe, boolean failed, long now) {
        if (state != State.HALF_OPEN || probe != ticket) {
            return null;
        }
        probesInFlight--;
        if (failed) {
            return open(now);
        }
        if (++successes < settings.requiredSuccesses()) {
            return null;
        }
        openings = 0;
        counts = counts(now);
        state = State.CLOSED;
        return State.CLOSED;
    }

    private State open(long now) {
        openUntil = now + openNanos();
        openings++;
        state = State.OPEN;
        return State.OPEN;
    }

    private long openNanos() {
        long first = settings.openDuration().toNanos();
        long most = Math.max(first, settings.maxOpenDuration().toNanos());
        return openings < 62 && first <= most >> openings ? first << openings : most;
    }

    /** Nanoseconds until it becomes half-open; negative while it is not open. */
    public synchronized long nanosToProbes(long now) {
        return state == State.OPEN ? Math.max(0, openUntil - now) : -1;
    }

    /** Becomes half-open if the time for that has come; whether it has. */
    public synchronized boolean expire(long now) {
        if (state != State.OPEN || openUntil - now > 0) {
            return false;
        }
        ticket = ticket == Integer.MAX_VALUE ? 1 : ticket + 1;
        probesInFlight = 0;
        successes = 0;
        state = State.HALF_OPEN;
        return true;
    }

    @Override
    public String toString() {
        return "Breaker{" + state + "}";
    }
}
