package io.fairlead.strategy;

/**
 * A server that can be picked, as a strategy sees it: its identity and weight, fixed for the life of a picker, and the
 * figures that move with the traffic, read at every call.
 *
 * <p>Safe for use from any thread.
 */
public interface Candidate {
    /** The endpoint's id: unique in the list, stable across lists and processes. */
    String id();

    /** The weight at present (slow start included), at least 1. */
    int weight();

    /** Requests under way at this moment. */
    int inFlight();

    /**
     * Since when the server has answered nothing although requests are under way, in nanoseconds of the context's
     * ticker: the later of the moment at which it became busy and its last answer. Without a meaning while
     * {@link #inFlight()} is 0.
     */
    long waitingSinceNanos();

    /**
     * The latency average in nanoseconds, a peak-sensitive exponentially weighted moving average; 0 where no request has
     * been answered yet.
     *
     * @param now the moment that it has decayed to, in nanoseconds of the context's ticker
     */
    double latencyNanos(long now);

    /** How many requests have counted against the server since the last success, for strategies that lower a weight. */
    int recentFailures();

    /**
     * How much the server's errors of late speak against its being quick or idle, from 0, not at all, to 6: one more with
     * each failure and each answer of status 500 or above, one less with each other answer, and with each second since
     * the last error.
     *
     * @param now this moment, in nanoseconds of the context's ticker
     */
    default int errorLevel(long now) {
        return 0;
    }
}
