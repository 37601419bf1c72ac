package io.fairlead.health;

import io.fairlead.Outcome;
import io.fairlead.observe.EndpointSnapshot;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The health of one server, a small state machine: the verdict of the active check, the ejection, the circuit breaker, and
 * the backoff after failed connections. The methods by which checks, requests and the time change it say whether they may
 * have changed if the server can be used.
 *
 * <p>Safe for use from any thread. While all is well, {@link #succeeded()} takes no lock.
 */
public final class EndpointHealth {
    private static final long FIRST_BACKOFF_NANOS = 1_000_000_000L;
    private static final int MAX_BACKOFF_SECONDS = 30;

    private static final AtomicLongFieldUpdater<EndpointHealth> INTERVAL =
            AtomicLongFieldUpdater.newUpdater(EndpointHealth.class, "interval");
    private static final long ONE_FAILURE = 1L << 32;

    private volatile CheckState check = CheckState.UNCHECKED;
    private volatile boolean down;
    private volatile boolean ejected;
    private volatile boolean backedOff;
    /** Whether a failure is remembered, so that a success has something to clear. */
    private volatile boolean marked;
    /** The ends of requests in the running interval: failures in the upper half, successes in the lower. */
    @SuppressWarnings("unused") // Through INTERVAL.
    private volatile long interval;

    private volatile @Nullable Breaker breaker;

    // Guarded by this.
    private int checkRun;
    private int failureRun;
    private long failureRunStart;
    private int gatewayRun;
    private long gatewayRunStart;
    /** The moments of the last failures, a ring, as many as are asked for by {@code maxFails}; null: not asked for. */
    private long @Nullable [] fails;

    private long failsSeen;
    private int backoffs;
    private long backoffUntil;
    private int ejections;
    private long ejectedUntil;
    private @Nullable Detector ejectedBy;

    /** Makes the health of a server of which nothing is known: it can be used. */
    public EndpointHealth() {}

    /** Whether neither the active check nor an ejection nor the circuit breaker has taken the server out. */
    public boolean isUsable() {
        return !down && !ejected && !isOpen();
    }

    /** Whether the circuit breaker lets nothing through. */
    public boolean isOpen() {
        Breaker known = breaker;
        return known != null && known.state() == Breaker.State.OPEN;
    }

    /** The circuit breaker; null: there is none. */
    public @Nullable Breaker breaker() {
        return breaker;
    }

    /** Breaks by these settings from now on, with a closed breaker where they are new; null: not at all. */
    public synchronized void breakBy(@Nullable CircuitBreaker settings, long now) {
        Breaker before = breaker;
        if (settings == null) {
            breaker = null;
        } else if (before == null || !settings.equals(before.settings())) {
            breaker = new Breaker(settings, now);
        }
    }

    /**
     * Ends a request without a verdict.
     *
     * @param probe what the breaker said when it began
     */
    public void undecided(int probe) {
        Breaker known = breaker;
        if (probe != Breaker.NO_PROBE && known != null) {
            known.returned(probe);
        }
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
            gatewayRun = 0;
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

    /** Counts an end of a request in the running interval. */
    void count(boolean failed) {
        INTERVAL.getAndAdd(this, failed ? ONE_FAILURE : 1);
    }

    /** The ends of requests in the interval that ends here: failures in the upper half, successes in the lower. */
    long readInterval() {
        return INTERVAL.getAndSet(this, 0);
    }

    /** Counts a failure at this moment; gives the detector that ejects for it, null when none does. */
    synchronized @Nullable Detector failed(PassiveHealthCheck check, Outcome.Kind kind, long now) {
        marked = true;
        long window = check.failureWindow().toNanos();
        if (failureRun == 0 || now - failureRunStart > window) {
            failureRun = 0;
            failureRunStart = now;
        }
        failureRun++;
        if (kind != Outcome.Kind.BAD_STATUS && kind != Outcome.Kind.CONNECT_FAILED) {
            gatewayRun = 0;
        } else {
            if (gatewayRun == 0 || now - gatewayRunStart > window) {
                gatewayRun = 0;
                gatewayRunStart = now;
            }
            gatewayRun++;
        }
        boolean manyFails = fails(check, now);
        if (ejected) {
            return null;
        }
        if (reached(failureRun, check.maxFailedAttempts())) {
            return Detector.CONSECUTIVE_FAILURES;
        }
        if (reached(gatewayRun, check.consecutiveGatewayFailures())) {
            return Detector.CONSECUTIVE_GATEWAY_FAILURES;
        }
        return manyFails ? Detector.MAX_FAILS : null;
    }

    private static boolean reached(int run, int limit) {
        return limit > 0 && run >= limit;
    }

    /** Whether the failures within the time are too many, with this one. */
    private boolean fails(PassiveHealthCheck check, long now) {
        int most = check.maxFails();
        if (most == 0) {
            fails = null;
            return false;
        }
        long[] moments = fails;
        if (moments == null || moments.length != most) {
            moments = new long[most];
            fails = moments;
            failsSeen = 0;
        }
        moments[(int) (failsSeen++ % most)] = now;
        // What stands where the next one goes is the oldest.
        return failsSeen >= most
                && now - moments[(int) (failsSeen % most)]
                        <= check.failTimeout().toNanos();
    }

    /** Ejects the server at this moment. Gives how long it stays out, in nanoseconds. */
    synchronized long eject(PassiveHealthCheck check, Detector detector, long now) {
        forgetRuns();
        long length;
        if (detector == Detector.MAX_FAILS) {
            length = check.failTimeout().toNanos();
        } else {
            length = growing(check, now);
        }
        ejected = true;
        ejectedBy = detector;
        ejectedUntil = now + length;
        return length;
    }

    private long growing(PassiveHealthCheck check, long now) {
        if (ejections > 0 && now - ejectedUntil > 0) {
            ejections -= (int)
                    Math.min(ejections, (now - ejectedUntil) / check.interval().toNanos());
        }
        ejections++;
        long base = check.baseEjection().toNanos();
        long max = check.maxEjection().toNanos();
        return base >= max / ejections ? max : base * ejections;
    }

    private void forgetRuns() {
        failureRun = 0;
        gatewayRun = 0;
        failsSeen = 0;
        if (fails != null) {
            Arrays.fill(fails, 0);
        }
    }

    /** A run of failures that was to eject did not, since too many are out: the next one begins. */
    synchronized void ejectionRefused() {
        forgetRuns();
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

    /** What the server was last ejected for, in words; empty: it never was. */
    public synchronized String ejectedFor() {
        return ejectedBy == null ? "" : ejectedBy.words;
    }

    /** Writes what is known into a snapshot. */
    public synchronized void describe(EndpointSnapshot.Builder to, long now) {
        to.check(check);
        Breaker known = breaker;
        to.circuit(known == null ? null : known.state());
        to.ejected(ejected, Duration.ofNanos(ejectedNanos(now)), ejections);
        to.backoff(Duration.ofNanos(backedOff ? Math.max(0, backoffUntil - now) : 0));
    }

    /** Forgets failures and ejections, when failures are no longer counted. */
    public synchronized void forgetFailures() {
        ejected = false;
        ejections = 0;
        forgetRuns();
        INTERVAL.set(this, 0);
    }

    /** Nanoseconds to the first end of ejection, backoff or open breaker; negative when there is none of them. */
    public synchronized long nanosToExpiry(long now) {
        long ejection = ejected ? Math.max(0, ejectedUntil - now) : -1;
        long backoff = backedOff ? Math.max(0, backoffUntil - now) : -1;
        Breaker known = breaker;
        return sooner(sooner(ejection, backoff), known == null ? -1 : known.nanosToProbes(now));
    }

    /** Nanoseconds until neither an ejection nor an open breaker keeps it out any more; negative when none of them does. */
    public synchronized long nanosOut(long now) {
        Breaker known = breaker;
        return Math.max(ejected ? Math.max(0, ejectedUntil - now) : -1, known == null ? -1 : known.nanosToProbes(now));
    }

    private static long sooner(long one, long other) {
        return one < 0 || (other >= 0 && other < one) ? other : one;
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
        Breaker known = breaker;
        return (known != null && known.expire(now)) || changed;
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
