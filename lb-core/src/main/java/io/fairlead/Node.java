package io.fairlead;

import io.fairlead.strategy.Candidate;

/** One line of a roster: an endpoint as it is configured now, with the state of its id. */
final class Node implements Candidate {
    final Endpoint endpoint;
    final EndpointState state;
    private final Ticker ticker;

    Node(Endpoint endpoint, EndpointState state, Ticker ticker) {
        this.endpoint = endpoint;
        this.state = state;
        this.ticker = ticker;
    }

    boolean fenced() {
        return state.fence != null ? state.fence : endpoint.fenced();
    }

    @Override
    public String id() {
        return endpoint.id();
    }

    @Override
    public int weight() {
        return endpoint.weight();
    }

    @Override
    public int inFlight() {
        return state.inFlight.get();
    }

    @Override
    public long waitingSinceNanos() {
        return state.waitingSince;
    }

    @Override
    public double latencyNanos() {
        return state.latency.nanos(ticker.nanoTime());
    }

    @Override
    public int recentFailures() {
        return state.recentFailures.get();
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
