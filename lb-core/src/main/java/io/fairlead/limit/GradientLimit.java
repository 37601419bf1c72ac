package io.fairlead.limit;

/**
 * A limit by the gradient of the latency, after Netflix's Gradient2. Answers are averaged over a window; at its end, when
 * it has ten answers at least, the average is held against a long-term one:
 *
 * <pre>
 * gradient = max(0.5, min(1, tolerance * longTerm / shortTerm))
 * limit    = limit * (1 - smoothing) + (limit * gradient + 4) * smoothing
 * </pre>
 *
 * <p>The 4 is the queue that is allowed at the server, by which the limit grows while the latency stays. A window in which
 * less than half of the limit was in use changes nothing, since it tells nothing. The long-term average is the plain mean
 * of the first ten windows and then an exponential one over a hundred; where it is more than twice the short-term one it
 * is lowered by 5 % a window, so that the end of an overload is soon noticed.
 */
final class GradientLimit extends LearntLimit {
    private static final int MIN_SAMPLES = 10;
    private static final int WARM_UP = 10;
    private static final double SHARE_OF_NEW = 2.0 / (100 + 1);
    private static final int QUEUE = 4;

    // Guarded by this.
    private long windowStart;
    private double sum;
    private int samples;
    private int mostInFlight;
    private double longTerm;
    private int windows;

    GradientLimit(AdaptiveLimit settings, long now) {
        super(settings);
        windowStart = now;
    }

    @Override
    public synchronized void answered(long latencyNanos, int inFlight, long now) {
        sum += Math.max(1, latencyNanos);
        samples++;
        mostInFlight = Math.max(mostInFlight, inFlight);
        if (now - windowStart >= settings().window().toNanos() && samples >= MIN_SAMPLES) {
            step(sum / samples);
            windowStart = now;
            sum = 0;
            samples = 0;
            mostInFlight = 0;
        }
    }

    private void step(double shortTerm) {
        windows = Math.min(WARM_UP + 1, windows + 1);
        longTerm += (shortTerm - longTerm) * (windows <= WARM_UP ? 1.0 / windows : SHARE_OF_NEW);
        if (longTerm > 2 * shortTerm) {
            longTerm *= 0.95;
        }
        if (2L * mostInFlight >= limit()) {
            double gradient = Math.max(0.5, Math.min(1, settings().tolerance() * longTerm / shortTerm));
            double smoothing = settings().smoothing();
            moveTo(exact() * (1 - smoothing) + (exact() * gradient + QUEUE) * smoothing);
        }
    }
}
