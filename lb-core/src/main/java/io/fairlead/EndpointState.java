package io.fairlead;

import io.fairlead.health.Breaker;
import io.fairlead.health.EndpointHealth;
import io.fairlead.limit.AdaptiveLimit;
import io.fairlead.limit.LearntLimit;
import io.fairlead.strategy.RecentFailures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What is learnt of one endpoint id: outlives updates of the list, and dies with the id.
 *
 * <p>What picks read stands in fields of this object, and not in objects of their own: with thousands of servers each
 * step from object to object is a wait for memory.
 */
final class EndpointState {
    private static final AtomicIntegerFieldUpdater<EndpointState> IN_FLIGHT =
            AtomicIntegerFieldUpdater.newUpdater(EndpointState.class, "inFlight");
    private static final AtomicIntegerFieldUpdater<EndpointState> TROUBLE =
            AtomicIntegerFieldUpdater.newUpdater(EndpointState.class, "trouble");
    private static final AtomicLongFieldUpdater<EndpointState> LATENCY =
            AtomicLongFieldUpdater.newUpdater(EndpointState.class, "latency");
    private static final AtomicReferenceFieldUpdater<EndpointState, Drained> DRAINED =
            AtomicReferenceFieldUpdater.newUpdater(EndpointState.class, Drained.class, "drained");
    /** In place of the trouble with a server that has left: nothing of it counts any more. */
    private static final int GONE = -1;

    private static final int LEVEL_SHIFT = 24;
    private static final int FAILURES_MASK = (1 << LEVEL_SHIFT) - 1;
    private static final int MAX_LEVEL = 6;
    private static final long LEVEL_NANOS = 1_000_000_000L;

    final EndpointHealth health = new EndpointHealth();
    /** Guarded by the load balancer's lock. */
    final WarmUp warmUp = new WarmUp();

    final LongAdder picks = new LongAdder();
    final LongAdder failures = new LongAdder();

    private final RecentFailures ofService;

    private volatile int inFlight;
    /** Failures since the last success in the lower 24 bits, above them the level of errors at the last of them. */
    private volatile int trouble;

    private volatile long lastErrorAt;
    private volatile long waitingSince;
    private volatile long latency;
    /** Null: none is learnt. */
    private volatile @Nullable LearntLimit learnt;

    /** The fence as it was set at run time; null: as configured. Written under the load balancer's lock. */
    volatile @Nullable Boolean fence;

    /** Whether picks that have begun must be given up, since the newest roster has the server fenced. */
    volatile boolean barred;

    volatile @Nullable String lastError;
    /** What was wrong at the last active check; null: nothing, or there was none. */
    volatile @Nullable String checkError;

    /** What was told of it last, for {@link StateDiff}. Guarded by the load balancer's lock. */
    int told = StateDiff.NOTHING;

    /** When it last became usable or ceased to be. */
    volatile long since;

    /** Completed when no request is under way; null: nobody waits. */
    private volatile @Nullable Drained drained;

    // Guarded by this.
    private Scheduler.@Nullable Timer expiry;
    private boolean removed;

    EndpointState(RecentFailures ofService) {
        this.ofService = ofService;
    }

    void begin(long now) {
        // Before the count: while that is 0, nobody asks since when.
        if (inFlight == 0) {
            waitingSince = now;
        }
        IN_FLIGHT.incrementAndGet(this);
        picks.increment();
    }

    /**
     * Begins a request if nothing stands against it: neither the limit, nor the learnt one, nor the circuit breaker.
     *
     * @param most requests in flight at most
     * @return {@link Breaker#REFUSED}; or else what {@link Breaker#tryEnter} gave, and the request is in flight
     */
    int tryBegin(long now, int most) {
        Breaker breaker = health.breaker();
        int probe = breaker == null ? Breaker.NO_PROBE : breaker.tryEnter();
        if (probe == Breaker.REFUSED) {
            return probe;
        }
        int limit = limit(most);
        while (true) {
            int before = inFlight;
            if (before >= limit) {
                health.undecided(probe);
                return Breaker.REFUSED;
            }
            if (before == 0) {
                waitingSince = now;
            }
            if (IN_FLIGHT.compareAndSet(this, before, before + 1)) {
                picks.increment();
                return probe;
            }
        }
    }

    /** Whether {@link #tryBegin} would begin a request at this moment. */
    boolean admits(int most) {
        Breaker breaker = health.breaker();
        return inFlight < limit(most) && (breaker == null || breaker.admits());
    }

    /** Requests in flight at most: so many, or fewer where less has been learnt. */
    int limit(int most) {
        LearntLimit learning = learnt;
        return learning == null ? most : Math.min(most, learning.limit());
    }

    /** The limit that has been learnt so far; null: none is. */
    @Nullable
    LearntLimit learntLimit() {
        return learnt;
    }

    /** Learns a limit in this way from now on, from the beginning where the way is new; null: none. */
    void limitBy(@Nullable AdaptiveLimit settings, long now) {
        LearntLimit before = learnt;
        if (settings == null) {
            learnt = null;
        } else if (before == null || !settings.equals(before.settings())) {
            learnt = LearntLimit.of(settings, now);
        }
    }

    /** An answer came. Failures and cancels are none: a server that only hangs must be seen to hang. */
    void responded(long latencyNanos, boolean isError, long now, LatencyAverage averaging) {
        waitingSince = now;
        observe(latencyNanos, isError, now, averaging);
    }

    /** A request took so long, whether or not an answer came. */
    void observe(long latencyNanos, boolean isError, long now, LatencyAverage averaging) {
        while (true) {
            long before = latency;
            long after = isError
                    ? averaging.erred(before, latencyNanos, now)
                    : averaging.observed(before, latencyNanos, now);
            if (LATENCY.compareAndSet(this, before, after)) {
                return;
            }
        }
    }

    void end() {
        if (IN_FLIGHT.decrementAndGet(this) == 0 && drained != null) {
            drain();
        }
    }

    /** Takes back {@link #begin}: the request goes elsewhere and was never under way to this one. */
    void withdraw() {
        picks.decrement();
        end();
    }

    /** Takes back {@link #tryBegin}, which gave this. */
    void withdraw(int probe) {
        health.undecided(probe);
        withdraw();
    }

    /** Completes when no request is under way. */
    CompletableFuture<Void> drained() {
        Drained waiting = drained;
        while (waiting == null) {
            Drained fresh = new Drained();
            waiting = DRAINED.compareAndSet(this, null, fresh) ? fresh : drained;
        }
        // After it has been put there: either this reads 0, or the request that makes it 0 reads it.
        if (inFlight == 0) {
            drain();
        }
        return waiting;
    }

    private void drain() {
        Drained waiting = DRAINED.getAndSet(this, null);
        while (waiting != null && inFlight != 0) {
            // Another request has begun meanwhile, perhaps before the one who waits came: its end is waited for, too.
            if (DRAINED.compareAndSet(this, null, waiting)) {
                waiting = inFlight == 0 ? DRAINED.getAndSet(this, null) : null;
            } else {
                waiting.join(DRAINED.getAndSet(this, null));
            }
        }
        if (waiting != null) {
            waiting.tell();
        }
    }

    int inFlight() {
        return inFlight;
    }

    long waitingSince() {
        return waitingSince;
    }

    /** The latency's average, a word of {@link LatencyAverage}. */
    long latency() {
        return latency;
    }

    /** Failures since the last success. */
    int recentFailures() {
        int word = trouble;
        return word < 0 ? 0 : word & FAILURES_MASK;
    }

    /** See {@link io.fairlead.strategy.Candidate#errorLevel}. */
    int errorLevel(long now) {
        int word = trouble;
        return word <= 0 ? 0 : level(word, now);
    }

    private int level(int word, long now) {
        int level = word >>> LEVEL_SHIFT;
        if (level == 0) {
            return 0;
        }
        long gone = Math.max(0, now - lastErrorAt) / LEVEL_NANOS;
        return (int) Math.max(0, level - gone);
    }

    /** A request failed. */
    void failed(long now) {
        failures.increment();
        erred(1, now);
    }

    /** An answer came that says that the server could not do its work, and that is no failure. */
    void answeredWithError(long now) {
        erred(-1, now);
    }

    /**
     * Raises the level.
     *
     * @param failed failures that are added; below 0: there have been none since this success
     */
    private void erred(int failed, long now) {
        while (true) {
            int before = trouble;
            if (before == GONE) {
                return;
            }
            int level = Math.min(MAX_LEVEL, level(before, now) + 1);
            int count = failed < 0 ? 0 : Math.min(FAILURES_MASK, (before & FAILURES_MASK) + failed);
            if (TROUBLE.compareAndSet(this, before, level << LEVEL_SHIFT | count)) {
                lastErrorAt = now;
                if (before == 0) {
                    ofService.begin();
                }
                return;
            }
        }
    }

    /** Whether a success has something to clear. */
    boolean isTroubled() {
        return trouble > 0;
    }

    /** A request succeeded: no failures since, and one level of errors less. */
    void succeeded(long now) {
        while (true) {
            int before = trouble;
            if (before <= 0) {
                return;
            }
            int after = Math.max(0, level(before, now) - 1) << LEVEL_SHIFT;
            if (TROUBLE.compareAndSet(this, before, after)) {
                if (after == 0) {
                    ofService.end();
                }
                return;
            }
        }
    }

    /** Runs a task when the ejection, the backoff or the time of the open breaker is over, whichever is first; replaces the task before. */
    synchronized void atExpiry(Scheduler scheduler, Runnable task) {
        cancelExpiry();
        long now = scheduler.nanoTime();
        long nanos = health.nanosToExpiry(now);
        if (nanos >= 0 && !removed) {
            expiry = scheduler.schedule(task, nanos);
        }
    }

    /** The id has left the list, or the service ends: no timer of it is left, nor will be. */
    synchronized void remove() {
        removed = true;
        cancelExpiry();
        if (TROUBLE.getAndSet(this, GONE) > 0) {
            ofService.end();
        }
    }

    synchronized boolean isRemoved() {
        return removed;
    }

    private void cancelExpiry() {
        if (expiry != null) {
            expiry.cancel();
            expiry = null;
        }
    }

    /** A class of its own, since a field's updater knows no type parameters. */
    private static final class Drained extends CompletableFuture<Void> {
        /** Who is told together with this one; set while nobody but the thread that tells has hold of them. */
        private @Nullable Drained next;

        void join(@Nullable Drained other) {
            Drained last = this;
            while (last.next != null) {
                last = last.next;
            }
            last.next = other;
        }

        void tell() {
            for (Drained each = this; each != null; each = each.next) {
                each.complete(null);
            }
        }
    }
}
