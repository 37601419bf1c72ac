package io.fairlead.retry;

import io.fairlead.Ticker;
import io.fairlead.strategy.RandomSource;
import java.time.Duration;
import java.util.Objects;

/**
 * How long to wait before a request is sent again: twice as long each time up to a maximum, and a part of it left to
 * chance, so that callers who failed together do not come back together.
 *
 * <p>Immutable; equal by value.
 */
public final class Backoff {
    /** No waiting at all. */
    public static final Backoff NONE = new Backoff(Duration.ZERO, Duration.ZERO, 0, false);

    /** 25 ms, doubling to 250 ms, half of it left to chance; none after a connection that did not come about. */
    public static final Backoff USUAL = new Backoff(Duration.ofMillis(25), Duration.ofMillis(250), 50, false);

    private static final int MOST_DOUBLINGS = 30;

    private final Duration initial;
    private final Duration max;
    private final int jitterPercent;
    private final boolean afterConnect;

    private Backoff(Duration initial, Duration max, int jitterPercent, boolean afterConnect) {
        this.initial = initial;
        this.max = max;
        this.jitterPercent = jitterPercent;
        this.afterConnect = afterConnect;
    }

    /**
     * A backoff.
     *
     * @param initial before the second try; zero: no waiting
     * @param max the longest wait, at least {@code initial}
     * @param jitterPercent from 0 to 100: so much of each wait is left to chance; at 100 it is anything from nothing to
     *     the whole
     * @param afterConnect whether to wait also where no connection came about; the next server knows nothing of that
     * @throws IllegalArgumentException a value is out of range
     */
    public static Backoff of(Duration initial, Duration max, int jitterPercent, boolean afterConnect) {
        notNegative(initial, "initial");
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("max is less than initial");
        }
        RetryPolicy.inRange(jitterPercent, 0, 100, "jitter");
        return new Backoff(Ticker.bounded(initial), Ticker.bounded(max), jitterPercent, afterConnect);
    }

    /** The wait before the second try, without jitter. */
    public Duration initial() {
        return initial;
    }

    /** The longest wait. */
    public Duration max() {
        return max;
    }

    /** So much of each wait, in percent, is left to chance. */
    public int jitterPercent() {
        return jitterPercent;
    }

    /** Whether to wait also where no connection came about. */
    public boolean afterConnect() {
        return afterConnect;
    }

    /**
     * The wait in nanoseconds.
     *
     * @param retry 1 before the second try, 2 before the third
     */
    long nanos(int retry, RandomSource random) {
        long first = initial.toNanos();
        if (first == 0) {
            return 0;
        }
        int doublings = Math.min(retry - 1, MOST_DOUBLINGS);
        long most = max.toNanos();
        long whole = first > most >> doublings ? most : first << doublings;
        long chance = whole / 100 * jitterPercent;
        // 53 bits of chance, as a double holds them.
        double share = (random.nextLong() >>> 11) * 0x1.0p-53;
        return whole - (long) (chance * share);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Backoff)) {
            return false;
        }
        Backoff that = (Backoff) other;
        return initial.equals(that.initial)
                && max.equals(that.max)
                && jitterPercent == that.jitterPercent
                && afterConnect == that.afterConnect;
    }

    @Override
    public int hashCode() {
        return Objects.hash(initial, max, jitterPercent, afterConnect);
    }

    @Override
    public String toString() {
        return initial.isZero()
                ? "none"
                : initial + " to " + max + ", jitter " + jitterPercent + " %" + (afterConnect ? ", always" : "");
    }

    static Duration notNegative(Duration duration, String what) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " is negative");
        }
        return Ticker.bounded(duration);
    }
}
