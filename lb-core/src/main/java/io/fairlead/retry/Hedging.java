package io.fairlead.retry;

import io.fairlead.RequestFacts;
import io.fairlead.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one service knows for its hedging: how long its requests take, and how many copies it may still send. Requests are
 * hedged by {@link Attempts}.
 *
 * <p>Only GET, HEAD, OPTIONS and TRACE are copied: copies overlap, and of two PUTs the later one could be the loser's.
 *
 * <p>Safe for use from any thread, without locks.
 */
public final class Hedging {
    /** A copy costs as many units as there are percents in a whole; a request earns as many as its budget has percents. */
    private static final int UNITS_A_COPY = 100;

    /** Unused budget for so many copies is kept. */
    private static final int MOST_COPIES = 10;

    /** Working a quantile out means to look at all classes: not for each request. */
    private static final long FRESH_NANOS = 50_000_000L;

    private final Ticker ticker;
    private final LatencyHistogram latencies;
    private final AtomicLong units = new AtomicLong();
    private volatile @Nullable HedgePolicy policy;
    private volatile Delay delay;

    /** Hedging that is off until {@link #follow} says how. */
    public Hedging(Ticker ticker) {
        this.ticker = ticker;
        latencies = new LatencyHistogram(ticker);
        delay = new Delay(Long.MAX_VALUE, ticker.nanoTime() - FRESH_NANOS);
    }

    /** Hedges by this policy from now on; null: not at all. What is known of latencies stays. */
    public void follow(@Nullable HedgePolicy newPolicy) {
        policy = newPolicy;
        delay = new Delay(Long.MAX_VALUE, ticker.nanoTime() - FRESH_NANOS);
    }

    /** The policy; null: no hedging. */
    public @Nullable HedgePolicy policy() {
        return policy;
    }

    /** Whether requests of this kind are copied where they have no body. */
    static boolean isFor(RequestFacts request) {
        switch (request.method()) {
            case "GET":
            case "HEAD":
            case "OPTIONS":
            case "TRACE":
                return true;
            default:
                return false;
        }
    }

    /** Counts a request that may be copied. */
    void request(HedgePolicy current) {
        long most = (long) UNITS_A_COPY * MOST_COPIES;
        while (true) {
            long before = units.get();
            long after = Math.min(most, before + current.budgetPercent());
            if (before == after || units.compareAndSet(before, after)) {
                return;
            }
        }
    }

    /** Takes one copy from the budget; false when there is none left. */
    boolean tryCopy() {
        while (true) {
            long before = units.get();
            if (before < UNITS_A_COPY) {
                return false;
            }
            if (units.compareAndSet(before, before - UNITS_A_COPY)) {
                return true;
            }
        }
    }

    /** The time after which a copy is sent, in nanoseconds; {@link Long#MAX_VALUE} while it is not known. */
    long delayNanos(HedgePolicy current) {
        Delay known = delay;
        long now = ticker.nanoTime();
        if (now - known.at >= FRESH_NANOS) {
            long quantile = latencies.quantile(current.quantile());
            known = new Delay(Math.max(quantile, current.minDelay().toNanos()), now);
            if (quantile != Long.MAX_VALUE) {
                delay = known;
            }
        }
        return known.nanos;
    }

    /**
     * Learns how long a request took from its first copy to the first answer. That is the time which the caller waited:
     * the times of the copies alone would leave out those that were given up, and the quantile would sink.
     */
    void answered(long nanos) {
        latencies.add(nanos);
    }

    private static final class Delay {
        final long nanos;
        final long at;

        Delay(long nanos, long at) {
            this.nanos = nanos;
            this.at = at;
        }
    }
}
