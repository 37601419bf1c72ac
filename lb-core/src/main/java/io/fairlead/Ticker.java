package io.fairlead;

/**
 * A source of elapsed time, passed in so that everything that depends on time can be replayed in a test.
 *
 * <p>Implementations are safe for use from any thread.
 */
@FunctionalInterface
public interface Ticker {
    /**
     * The present moment in nanoseconds from an arbitrary origin, monotonic. Only differences have a meaning, and they
     * are taken by subtraction, since the value may overflow.
     */
    long nanoTime();

    /** The ticker of this machine, {@link System#nanoTime()}. */
    static Ticker system() {
        return System::nanoTime;
    }
}
