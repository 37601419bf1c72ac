package io.fairlead.limit;

/**
 * The limit of the requests in flight at one server, as it has been learnt so far.
 *
 * <p>Safe for use from any thread. {@link #limit} takes no lock; learning takes a short one.
 */
public abstract class LearntLimit {
    private final AdaptiveLimit settings;

    private volatile int published;

    // Guarded by this.
    private double limit;
    private long lowered;
    private boolean everLowered;

    LearntLimit(AdaptiveLimit settings) {
        this.settings = settings;
        limit = settings.initial();
        published = settings.initial();
    }

    /** The limit of a server of which nothing is known, at this moment. */
    public static LearntLimit of(AdaptiveLimit settings, long now) {
        return settings.algorithm() == AdaptiveLimit.Algorithm.GRADIENT
                ? new GradientLimit(settings, now)
                : new AimdLimit(settings);
    }

    /** How it is learnt. */
    public final AdaptiveLimit settings() {
        return settings;
    }

    /** How many requests may be in flight at this moment. */
    public final int limit() {
        return published;
    }

    /**
     * An answer came.
     *
     * @param latencyNanos how long it took
     * @param inFlight the requests in flight at the server, this one counted in
     * @param now when
     */
    public abstract void answered(long latencyNanos, int inFlight, long now);

    /**
     * A request failed. Of those that were in flight together, only the first lowers the limit: it is one event.
     *
     * @param begun when the request was begun
     * @param now when it failed
     */
    public final synchronized void failed(long begun, long now) {
        if (!everLowered || begun - lowered >= 0) {
            everLowered = true;
            lowered = now;
            moveTo(limit * settings.backoff());
        }
    }

    /** The limit before it is rounded down; with the lock held. */
    final double exact() {
        return limit;
    }

    /** Takes over another limit, within the bounds; with the lock held. */
    final void moveTo(double other) {
        limit = Math.max(settings.min(), Math.min(settings.max(), other));
        published = (int) limit;
    }

    @Override
    public final String toString() {
        return "LearntLimit{" + settings.algorithm() + " " + published + "}";
    }
}
