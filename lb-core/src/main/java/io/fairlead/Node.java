package io.fairlead;

import io.fairlead.health.Breaker;
import io.fairlead.health.CheckState;
import io.fairlead.health.EndpointHealth;
import io.fairlead.health.PassiveHealth;
import io.fairlead.limit.LearntLimit;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.strategy.Candidate;
import java.time.Duration;

/** One line of a roster: an endpoint as it is configured now, with the state of its id. */
final class Node implements Candidate, PassiveHealth.Member {
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
        Boolean fence = state.fence;
        return fence != null ? fence : endpoint.fenced();
    }

    /** Whether it takes requests by its configuration, and its health lets it have more than probes. */
    boolean isUsable() {
        Breaker breaker = state.health.breaker();
        return weight > 0
                && !fenced()
                && state.health.isUsable()
                && (breaker == null || breaker.state() == Breaker.State.CLOSED);
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

    /** Whether nothing but the want of a first check keeps it out. */
    boolean isAwaitingVerdict() {
        return weight > 0 && !fenced() && state.health.check() == CheckState.UNKNOWN && state.health.isDown();
    }

    /**
     * What is known of it at this moment.
     *
     * @param factor the part of its weight that it is picked with
     * @param most requests in flight at most, as configured; {@link Integer#MAX_VALUE}: any number
     */
    EndpointSnapshot snapshot(long now, double factor, int most) {
        int limit = state.limit(most);
        EndpointSnapshot.Builder snapshot = EndpointSnapshot.builder(endpoint)
                .up(state.health.isUsable(), Duration.ofNanos(Math.max(0, now - state.since)))
                .fenced(fenced())
                .inFlight(state.inFlight())
                .picks(state.picks.sum())
                .failures(state.failures.sum(), state.recentFailures())
                .effectiveWeight(Math.max(0, weight) * factor)
                .limit(limit == Integer.MAX_VALUE ? 0 : limit)
                .latency(Duration.ofNanos((long) latencyNanos(now)))
                .checkError(state.checkError)
                .lastError(state.lastError);
        LearntLimit learnt = state.learntLimit();
        snapshot.learntLimit(learnt == null ? 0 : learnt.limit());
        state.health.describe(snapshot, now);
        return snapshot.build();
    }

    /** No answer came in this time: that is news only where answers were quicker before. */
    void outrun(long start, long now) {
        if (now - start > averaging.nanos(state.latency(), now)) {
            state.observe(now - start, false, now, averaging);
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
    public int errorLevel(long now) {
        return state.errorLevel(now);
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
