package io.fairlead.health;

import io.fairlead.observe.EndpointSnapshot;
import java.time.Duration;

/**
 * The health of one server, a small state machine: the verdict of the active check, the ejection, and the backoff after
 * failed connections. Every method that may change whether the server can be used says whether it did.
 *
 * <p>Safe for use from any thread. While all is well, {@link #succeeded()} takes no lock.
 */
public final class EndpointHealth {
    private static final long FIRST_BACKOFF_NANOS = 1_000_000_000L;
    private static final int MAX_BACKOFF_SECONDS = 30;

    private volatile CheckState check = CheckState.UNCHECKED;
    private volatile boolean down;
    private volatile boolean ejected;
    private volatile boolean backedOff;
    /** Whether a failure is remembered, so that a success has something to clear. */
    private volatile boolean marked;

    // Guarded by this.
    private int checkRun;
    private int failureRun;
    private long failureRunStart;
    private int backoffs;
    private long backoffUntil;
    private int ejections;
    private long ejectedUntil;

    /** Makes the health of a server of which nothing is known: it can be used. */
    public EndpointHealth() {}

    /** Whether neither the active check nor an ejection has taken the server out. */
    public boolean isUsable() {
        return !down && !ejected;
    }

    /** Whether the active check has taken the server out. */
    public boolean isDown() {
        return down;
    }

    /** What the active check has found. */
    public CheckState check() {
        return check;
    }

    /** Whether the server is ejected for its failures. */
    public boolean isEjected() {
        return ejected;
    }

    /** Whether a connection to it failed just now, so that others are preferred. */
    public boolean isBackedOff() {
        return backedOff;
    }

    /**
     * Active checks are about to begin.
     *
     * @param usable whether the server can be used until the first verdict, where there has been none
     */
    public synchronized void awaitVerdict(boolean usable) {
        if (check == CheckState.UNCHECKED) {
            check = CheckState.UNKNOWN;
            down = !usable;
        }
    }

    /**
     * A check passed: ends the backoff, and brings the server back after {@code rise} in a row. Where nothing was known
     * of the server, one is enough.
     */
    public synchronized boolean checkPassed(int rise) {
        boolean changed = endBackoff();
        checkRun = checkRun > 0 ? checkRun + 1 : 1;
        if (check != CheckState.DOWN || checkRun >= rise) {
            check = CheckState.UP;
            changed |= down;
            down = false;
        }
        return changed;
    }

    /**
     * A check failed: takes the server out after {@code fall} in a row. Where it is out already for want of a verdict,
     * one is enough.
     */
    public synchronized boolean checkFailed(int fall) {
        checkRun = checkRun < 0 ? checkRun - 1 : -1;
        if (check == CheckState.DOWN || (!down && -checkRun < fall)) {
            return false;
        }
        check = CheckState.DOWN;
        boolean changed = !down;
        down = true;
        return changed;
    }

    /** A connection came about, or an answer came: ends the backoff. */
    public boolean connected() {
        if (!marked) {
            return false;
        }
        synchronized (this) {
            return endBackoff();
        }
    }

    /** A request succeeded: ends the backoff and the run of failures. */
    public boolean succeeded() {
        if (!marked) {
            return false;
        }
        synchronized (this) {
            failureRun = 0;
            boolean changed = endBackoff();
            marked = false;
            return changed;
        }
    }

    /**
     * Connecting failed at this moment: begins the backoff, or doubles it where it had run out.
     *
     * @return how long it lasts from now, in nanoseconds; 0 when it was running already: requests that were under way
     *     together fail together, which is one failure and not several
     */
    public synchronized long connectFailed(long now) {
        marked = true;
        if (backedOff && backoffUntil - now > 0) {
            return 0;
        }
        long seconds = Math.min(MAX_BACKOFF_SECONDS, 1L << Math.min(backoffs, 5));
        backoffs++;
        backedOff = true;
        backoffUntil = now + seconds * FIRST_BACKOFF_NANOS;
        return backoffUntil - now;
    }

    /** Counts a failure at this moment; true when it completes a run that ejects. */
    public synchronized boolean failed(PassiveHealthCheck check, long now) {
        marked = true;
        if (failureRun == 0 || now - failureRunStart > check.failureWindow().toNanos()) {
            failureRun = 0;
            failureRunStart = now;
        }
        failureRun++;
        return !ejected && failureRun >= check.maxFailedAttempts();
    }

    /** Ejects the server at this moment. Gives how long it stays out, in nanoseconds. */
    public synchronized long eject(PassiveHealthCheck check, long now) {
        long base = check.baseEjection().toNanos();
        if (ejections > 0 && now - ejectedUntil > 0) {
            // One healthy interval after the last ejection takes one ejection off the count.
            ejections -= (int) Math.min(ejections, (now - ejectedUntil) / base);
        }
        ejections++;
        failureRun = 0;
        ejected = true;
        long max = check.maxEjection().toNanos();
        long length = base >= max / ejections ? max : base * ejections;
        ejectedUntil = now + length;
        return length;
    }

    /** A run of failures that was to eject did not, since too many are out: the next one begins. */
    public synchronized void ejectionRefused() {
        failureRun = 0;
    }

    /** Forgets the verdict of an active check that is no longer made. */
    public synchronized void forgetChecks() {
        check = CheckState.UNCHECKED;
        down = false;
        checkRun = 0;
    }

    /** How much longer the server is ejected, in nanoseconds; 0 where it is not. */
    public synchronized long ejectedNanos(long now) {
        return ejected ? Math.max(0, ejectedUntil - now) : 0;
    }

    /** Writes what is known into a snapshot. */
    public synchronized void describe(EndpointSnapshot.Builder to, long now) {
        to.check(check);
        to.ejected(ejected, Duration.ofNanos(ejectedNanos(now)), ejections);
        to.backoff(Duration.ofNanos(backedOff ? Math.max(0, backoffUntil - now) : 0));
    }

    /** Forgets failures and ejections, when failures are no longer counted. */
    public synchronized void forgetFailures() {
        ejected = false;
        ejections = 0;
        failureRun = 0;
    }

    /** Nanoseconds to the end of the ejection or the backoff, whichever is first; negative when there is neither. */
    public synchronized long nanosToExpiry(long now) {
        long ejection = ejected ? Math.max(0, ejectedUntil - now) : -1;
        long backoff = backedOff ? Math.max(0, backoffUntil - now) : -1;
        return ejection < 0 || (backoff >= 0 && backoff < ejection) ? backoff : ejection;
    }

    /** Ends what has run out by this moment. */
    public synchronized boolean expire(long now) {
        boolean changed = false;
        if (ejected && ejectedUntil - now <= 0) {
            ejected = false;
            changed = true;
        }
        if (backedOff && backoffUntil - now <= 0) {
            // The count stays: a connection that fails again now doubles the time.
            backedOff = false;
            changed = true;
        }
        return changed;
    }

    private boolean endBackoff() {
        backoffs = 0;
        if (backedOff) {
            backedOff = false;
            return true;
        }
        return false;
    }
}
