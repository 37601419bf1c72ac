package io.fairlead;

import java.time.Duration;

/**
 * A source of elapsed time, passed in so that everything that depends on time can be replayed in a test.
 *
 * <p>Implementations are safe for use from any thread.
 */
@FunctionalInterface
public interface Ticker {
    /** The longest duration that can be counted in nanoseconds, of 292 years. */
    Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * The present moment in nanoseconds from an arbitrary origin, monotonic. Only differences have a meaning, and they
     * are taken by subtraction, since the value may overflow.
     */
    long nanoTime();

    /** A duration, or the longest whose nanoseconds a long can hold, of 292 years, where it is longer. */
    static Duration bounded(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
    }

    /** The ticker of this machine, {@link System#nanoTime()}. */
    static Ticker system() {
        return System::nanoTime;
    }
}
