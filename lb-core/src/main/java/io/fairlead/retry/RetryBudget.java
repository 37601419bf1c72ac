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
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double KEPT_SECONDS = 10;

    private final Ticker ticker;
    private final double share;
    private final double perSecond;
    private final LongAdder requests = new LongAdder();

    private double balance;
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
        balance = perSecond;
        countedAt = ticker.nanoTime();
    }

    /** Counts a request, not a retry. */
    public void request() {
        requests.increment();
    }

    /** Takes one retry from the budget; false when there is none left. */
    public synchronized boolean tryRetry() {
        long now = ticker.nanoTime();
        long total = requests.sum();
        double seconds = (now - countedAt) / NANOS_PER_SECOND;
        double earned = share * (total - countedRequests);
        double cap = perSecond * KEPT_SECONDS + (seconds <= KEPT_SECONDS ? earned : earned * KEPT_SECONDS / seconds);
        balance = Math.min(Math.max(cap, balance), balance + earned + perSecond * seconds);
        balance = Math.min(balance, cap + perSecond * KEPT_SECONDS);
        countedRequests = total;
        countedAt = now;
        if (balance < 1) {
            return false;
        }
        balance -= 1;
        return true;
    }
}
