package io.fairlead.retry;

import io.fairlead.Ticker;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the retries of one service may cost: a share of its requests, plus a fixed number a second, so that a service in
 * trouble is not brought down by its callers' second tries (Finagle's retry budget: 20 % plus 10 a second).
 *
 * <p>A request costs one counter; only a retry takes a lock. What is not used is kept for ten seconds at the most.
 *
 * <p>Safe for use from any thread.
 */
public final class RetryBudget {
    private static final long SLOT_NANOS = 1_000_000_000L;
    private static final int SLOTS = 10;

    private final Ticker ticker;
    private final double share;
    private final double perSecond;
    private final LongAdder requests = new LongAdder();

    // Guarded by this. What was earned in each of the last seconds and is not spent; the newest stands at slot.
    private final double[] earned = new double[SLOTS];
    private int slot;
    private long countedRequests;
    private long countedAt;

    /**
     * Makes a budget that starts with one second's worth.
     *
     * @param share retries per request, 0.2 for 20 %
     * @param perSecond retries a second beside that
     */
    public RetryBudget(Ticker ticker, double share, double perSecond) {
        this.ticker = ticker;
        this.share = share;
        this.perSecond = perSecond;
        earned[0] = perSecond;
        countedAt = ticker.nanoTime();
    }

    /** The time that it goes by. */
    Ticker ticker() {
        return ticker;
    }

    /** Counts a request, not a retry. */
    public void request() {
        requests.increment();
    }

    /** Takes one retry from the budget; false when there is none left. */
    public synchronized boolean tryRetry() {
        earn();
        double sum = 0;
        for (double slotEarned : earned) {
            sum += slotEarned;
        }
        // A fifth that was added five times is a little less than one.
        if (sum < 1 - 1e-9) {
            return false;
        }
        spendOldestFirst();
        return true;
    }

    /** Gives back what {@link #tryRetry} took, for a retry that did not come about. */
    synchronized void giveBack() {
        earned[slot] += 1;
    }

    private void earn() {
        long now = ticker.nanoTime();
        long total = requests.sum();
        double income = share * (total - countedRequests);
        countedRequests = total;
        long seconds = Math.max(0, now - countedAt) / SLOT_NANOS;
        if (seconds == 0) {
            earned[slot] += income;
            return;
        }
        countedAt += seconds * SLOT_NANOS;
        // When in this time the requests came is not known: they are spread evenly over it.
        for (long i = 0; i < Math.min(seconds, SLOTS); i++) {
            slot = (slot + 1) % SLOTS;
            earned[slot] = perSecond + income / seconds;
        }
    }

    private void spendOldestFirst() {
        double left = 1;
        for (int i = 1; i <= SLOTS && left > 0; i++) {
            int oldest = (slot + i) % SLOTS;
            double spent = Math.min(left, earned[oldest]);
            earned[oldest] -= spent;
            left -= spent;
        }
    }
}
