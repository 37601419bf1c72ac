package io.fairlead;

import io.fairlead.health.EndpointHealth;
import io.fairlead.health.OutlierDetection;
import io.fairlead.strategy.Candidate;
import org.jspecify.annotations.Nullable;

/** One line of a roster: an endpoint as it is configured now, with the state of its id. */
final class Node implements Candidate, OutlierDetection.Member {
    final Endpoint endpoint;
    final EndpointState state;
    private final LatencyAverage averaging;

    Node(Endpoint endpoint, EndpointState state, LatencyAverage averaging) {
        this.endpoint = endpoint;
        this.state = state;
        this.averaging = averaging;
    }

    boolean fenced() {
        return state.fence != null ? state.fence : endpoint.fenced();
    }

    /** An answer came. */
    void responded(long start, boolean isError, long now) {
        state.responded(now - start, isError, now, averaging);
    }

    /** A request failed before any answer came. */
    void failed(long start, long now) {
        state.observe(now - start, true, now, averaging);
    }

    @Override
    public EndpointHealth health() {
        return state.health;
    }

    @Override
    public boolean isCounted() {
        return endpoint.weight() > 0;
    }

    @Override
    public boolean isFenced() {
        return fenced();
    }

    @Override
    public @Nullable String lastError() {
        return state.lastError;
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
    public int errorLevel(long now) {
        return state.errorLevel(now);
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
