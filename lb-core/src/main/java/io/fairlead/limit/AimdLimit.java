package io.fairlead.limit;

/**
 * Additive increase, multiplicative decrease. Each answer that comes while at least half of the limit is in use raises
 * the limit by its reciprocal, and so a round of as many answers as the limit by one.
 */
final class AimdLimit extends LearntLimit {
    AimdLimit(AdaptiveLimit settings) {
        super(settings);
    }

    @Override
    public synchronized void answered(long latencyNanos, int inFlight, long now) {
        if (2L * inFlight >= limit()) {
            moveTo(exact() + 1 / exact());
        }
    }
}
