package io.fairlead.servlet.middleware;

import io.fairlead.Ticker;
import java.time.Duration;

/**
 * The state of a circuit breaker. Closed, it counts how requests end, and opens when its condition holds; open, it lets
 * none through for a while; then, recovering, a share of them that grows from nothing to all, and opens again when the
 * condition holds meanwhile.
 *
 * <p>Safe for use from any thread.
 */
final class Circuit {
    /** What {@link #admit} says of a request that may not go through. */
    static final long REFUSED = -1;

    private enum State {
        STANDBY,
        TRIPPED,
        RECOVERING
    }

    private final Expression.Condition<AnswerCounts> condition;
    private final long checkPeriod;
    private final long fallback;
    private final long recovery;
    private final Ticker ticker;

    // Guarded by this.
    private final AnswerCounts counts;
    private State state = State.STANDBY;
    /** Begins anew whenever the circuit opens. */
    private long period;

    private long since;
    private long lastCheck;
    private long allowed;
    private long denied;

    Circuit(
            Expression.Condition<AnswerCounts> condition,
            Duration checkPeriod,
            Duration fallback,
            Duration recovery,
            Ticker ticker) {
        this.condition = condition;
        this.checkPeriod = checkPeriod.toNanos();
        this.fallback = fallback.toNanos();
        this.recovery = recovery.toNanos();
        this.ticker = ticker;
        lastCheck = ticker.nanoTime();
        counts = new AnswerCounts(lastCheck);
    }

    /**
     * Lets a request through, or not; it counts as one that went through.
     *
     * @return the period that it belongs to, for {@link #ended}; {@link #REFUSED}: it may not go through
     */
    synchronized long admit() {
        return admits() ? period : REFUSED;
    }

    private boolean admits() {
        long now = ticker.nanoTime();
        if (state == State.TRIPPED) {
            if (now - since < fallback) {
                return false;
            }
            // It has recovered since then, whether or not a request came meanwhile.
            enter(State.RECOVERING, since + fallback);
        }
        if (state == State.RECOVERING) {
            if (now - since < recovery) {
                return admitsShare((double) (now - since) / recovery);
            }
            enter(State.STANDBY, now);
        }
        return true;
    }

    private boolean admitsShare(double share) {
        if ((double) (allowed + 1) / (allowed + 1 + denied) <= share) {
            allowed++;
            return true;
        }
        denied++;
        return false;
    }

    /** In how many seconds, from 1 on, some are let through: at once where it recovers. */
    synchronized int secondsLeft() {
        long left = state == State.TRIPPED ? fallback - (ticker.nanoTime() - since) : 0;
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, (left + 999_999_999L) / 1_000_000_000L));
    }

    /**
     * A request that was let through has ended.
     *
     * @param admitted what {@link #admit} gave it: how those end that began before the circuit opened says nothing of how
     *     the service does since
     */
    synchronized void ended(long admitted, int status, long latencyNanos) {
        if (admitted != period) {
            return;
        }
        long now = ticker.nanoTime();
        counts.add(status, latencyNanos, now);
        if (now - lastCheck < checkPeriod) {
            return;
        }
        lastCheck = now;
        if (condition.test(counts)) {
            enter(State.TRIPPED, now);
        }
    }

    private void enter(State next, long now) {
        state = next;
        since = now;
        allowed = 0;
        denied = 0;
        if (next == State.TRIPPED) {
            period++;
        }
        if (next != State.STANDBY) {
            counts.clear();
        }
    }

    long now() {
        return ticker.nanoTime();
    }
}
