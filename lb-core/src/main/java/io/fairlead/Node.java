package io.fairlead;

import io.fairlead.strategy.Candidate;

/** One line of a roster: an endpoint as it is configured now, with the state of its id. */
final class Node implements Candidate {
    final Endpoint endpoint;
    final EndpointState state;
    private final LatencyAverage averaging;
    private final int weight;

    Node(Endpoint endpoint, EndpointState state, LatencyAverage averaging) {
        this(endpoint, state, averaging, endpoint.weight());
    }

    private Node(Endpoint endpoint, EndpointState state, LatencyAverage averaging, int weight) {
        this.endpoint = endpoint;
        this.state = state;
        this.averaging = averaging;
        this.weight = weight;
    }

    /** The same with the weight that it has for a while. */
    Node withWeight(int other) {
        return new Node(endpoint, state, averaging, other);
    }

    /** Whether a picker can tell no difference, nor what is picked. */
    boolean isLike(Node other) {
        return state == other.state
                && averaging == other.averaging
                && weight == other.weight
                && endpoint.equals(other.endpoint);
    }

    boolean fenced() {
        return state.fence != null ? state.fence : endpoint.fenced();
    }

    /** Whether it takes requests by its configuration, and its health lets it. */
    boolean isUsable() {
        return weight > 0 && !fenced() && state.health.isUsable();
    }

    void responded(long start, long now) {
        state.responded(now - start, now, averaging);
    }

    /** No answer came in this time: that is news only where answers were quicker before. */
    void outrun(long start, long now) {
        if (now - start > averaging.nanos(state.latency(), now)) {
            state.outrun(now - start, now, averaging);
        }
    }

    @Override
    public String id() {
        return endpoint.id();
    }

    @Override
    public int weight() {
        return weight;
    }

    @Override
    public int inFlight() {
        return state.inFlight();
    }

    @Override
    public long waitingSinceNanos() {
        return state.waitingSince();
    }

    @Override
    public double latencyNanos(long now) {
        return averaging.nanos(state.latency(), now);
    }

    @Override
    public int recentFailures() {
        return state.recentFailures();
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
