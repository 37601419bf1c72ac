package io.fairlead.health;

import org.jspecify.annotations.Nullable;

/**
 * What one check of a server came to.
 *
 * <p>Immutable.
 */
public final class Verdict {
    /** The check passed. */
    public static final Verdict PASSED = new Verdict(null, false);

    private final @Nullable String error;
    private final boolean timedOut;

    private Verdict(@Nullable String error, boolean timedOut) {
        this.error = error;
        this.timedOut = timedOut;
    }

    /** The check failed. */
    public static Verdict failed(String error) {
        return new Verdict(error, false);
    }

    /** The check failed, since its time ran out. */
    public static Verdict timedOut() {
        return new Verdict("timed out", true);
    }

    /** What was wrong; null: it passed. */
    public @Nullable String error() {
        return error;
    }

    /** Whether the check failed because its time ran out. */
    public boolean isTimeout() {
        return timedOut;
    }

    @Override
    public String toString() {
        return error == null ? "passed" : error;
    }
}
