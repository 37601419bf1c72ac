package io.fairlead.strategy;

/**
 * The time that the requests under way, this one counted in, will take: {@code latency * (inFlight + 1) / weight}, after
 * Finagle's {@code PeakEwma}.
 *
 * <p>A server that has stalled has to lose traffic before it answers: its latency counts as no less than the time since
 * when it has answered nothing with requests under way. One that has not answered yet costs nothing while it is idle, so
 * that it is tried, and more than any other while its first request is under way, so that one at a time is enough; so it
 * does for a while when that request ends in an error.
 */
final class LatencyCost implements Cost {
    /** Eleven days in nanoseconds. */
    private static final double UNKNOWN = 1e15;

    @Override
    public double of(Candidate server, int weight, long now) {
        int inFlight = server.inFlight();
        double latency = server.latencyNanos(now);
        if (inFlight > 0) {
            double waited = now - server.waitingSinceNanos();
            latency = latency <= 0 ? UNKNOWN : waited > latency ? waited : latency;
        } else if (latency <= 0 && server.errorLevel(now) > 0) {
            latency = UNKNOWN;
        }
        double all = latency * (inFlight + 1.0);
        return weight == 1 ? all : all / weight;
    }

    @Override
    public boolean isTimed() {
        return true;
    }
}
