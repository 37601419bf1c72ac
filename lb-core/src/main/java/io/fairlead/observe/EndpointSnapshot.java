package io.fairlead.observe;

import io.fairlead.Endpoint;
import io.fairlead.health.Breaker;
import io.fairlead.health.CheckState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of one server at one moment.
 *
 * <p>Immutable.
 */
public final class EndpointSnapshot {
    private final Endpoint endpoint;
    private final boolean up;
    private final Duration stateAge;
    private final boolean fenced;
    private final boolean ejected;
    private final Duration ejectedFor;
    private final int ejections;
    private final Duration backoff;
    private final CheckState check;
    private final @Nullable String checkError;
    private final Breaker.@Nullable State circuit;
    private final int learntLimit;
    private final int inFlight;
    private final long picks;
    private final long failures;
    private final int consecutiveFailures;
    private final Duration latency;
    private final double effectiveWeight;
    private final int limit;
    private final @Nullable String lastError;

    private EndpointSnapshot(Builder builder) {
        endpoint = builder.endpoint;
        up = builder.up;
        stateAge = builder.stateAge;
        fenced = builder.fenced;
        ejected = builder.ejected;
        ejectedFor = builder.ejectedFor;
        ejections = builder.ejections;
        backoff = builder.backoff;
        check = builder.check;
        checkError = builder.checkError;
        circuit = builder.circuit;
        learntLimit = builder.learntLimit;
        inFlight = builder.inFlight;
        picks = builder.picks;
        failures = builder.failures;
        consecutiveFailures = builder.consecutiveFailures;
        latency = builder.latency;
        effectiveWeight = builder.effectiveWeight;
        limit = builder.limit;
        lastError = builder.lastError;
    }

    /** Begins the snapshot of a server of which nothing has been learnt. */
    public static Builder builder(Endpoint endpoint) {
        return new Builder(endpoint);
    }

    /** The server, as it was configured. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** The server's id. */
    public String id() {
        return endpoint.id();
    }

    /** Whether its health lets it be picked: its active check has not failed, and it is not ejected. */
    public boolean up() {
        return up;
    }

    /** How long it has been up, or down, as {@link #up()} says: since the last change, or since its id came. */
    public Duration stateAge() {
        return stateAge;
    }

    /** Whether it is draining, by configuration or at run time. */
    public boolean fenced() {
        return fenced;
    }

    /** Whether it is ejected for its failures. */
    public boolean ejected() {
        return ejected;
    }

    /** How much longer it is ejected; zero where it is not. */
    public Duration ejectedFor() {
        return ejectedFor;
    }

    /** How many ejections count towards the length of the next one. */
    public int ejections() {
        return ejections;
    }

    /** How much longer others are preferred to it, since a connection to it failed; zero where they are not. */
    public Duration backoff() {
        return backoff;
    }

    /** What the active check has found. */
    public CheckState check() {
        return check;
    }

    /** What was wrong at its last active check; null where that passed, or where there was none. */
    public @Nullable String checkError() {
        return checkError;
    }

    /** Requests under way. */
    public int inFlight() {
        return inFlight;
    }

    /** How many requests it was picked for, since its id came into the list. */
    public long picks() {
        return picks;
    }

    /** How many requests counted against it. */
    public long failures() {
        return failures;
    }

    /** How many requests have counted against it since the last that succeeded. */
    public int consecutiveFailures() {
        return consecutiveFailures;
    }

    /** The state of its circuit breaker; null: it has none. */
    public Breaker.@Nullable State circuit() {
        return circuit;
    }

    /** How many requests it may have in flight as has been learnt so far; 0: no limit is learnt. */
    public int learntLimit() {
        return learntLimit;
    }

    /** The average of its latencies, as picks by latency see it; zero where there has been no answer yet. */
    public Duration latency() {
        return latency;
    }

    /** The weight that it is picked with at this moment: the configured one, less what its state takes away. */
    public double effectiveWeight() {
        return effectiveWeight;
    }

    /** How many requests may be in flight to it at this moment, as configured or as learnt; 0: any number. */
    public int limit() {
        return limit;
    }

    /** What the last failure of a request or a check was; null where there was none. */
    public @Nullable String lastError() {
        return lastError;
    }

    @Override
    public String toString() {
        return endpoint + (up ? " up" : " down") + (fenced ? " fenced" : "") + (ejected ? " ejected" : "")
                + " inFlight=" + inFlight + " picks=" + picks + " failures=" + failures;
    }

    /** Collects the parts of a snapshot; not safe for use from several threads. */
    public static final class Builder {
        private final Endpoint endpoint;
        private boolean up = true;
        private Duration stateAge = Duration.ZERO;
        private boolean fenced;
        private boolean ejected;
        private Duration ejectedFor = Duration.ZERO;
        private int ejections;
        private Duration backoff = Duration.ZERO;
        private CheckState check = CheckState.UNCHECKED;
        private @Nullable String checkError;
        private int inFlight;
        private long picks;
        private long failures;
        private int consecutiveFailures;
        private Duration latency = Duration.ZERO;
        private Breaker.@Nullable State circuit;
        private int learntLimit;
        private double effectiveWeight;
        private int limit;
        private @Nullable String lastError;

        private Builder(Endpoint endpoint) {
            this.endpoint = endpoint;
            effectiveWeight = Math.max(0, endpoint.weight());
        }

        /** See {@link EndpointSnapshot#up()} and {@link EndpointSnapshot#stateAge()}. */
        public Builder up(boolean isUp, Duration age) {
            up = isUp;
            stateAge = age;
            return this;
        }

        /** See {@link EndpointSnapshot#fenced()}. */
        public Builder fenced(boolean isFenced) {
            fenced = isFenced;
            return this;
        }

        /** See {@link EndpointSnapshot#ejected()}, {@link EndpointSnapshot#ejectedFor()}, and {@link EndpointSnapshot#ejections()}. */
        public Builder ejected(boolean isEjected, Duration left, int count) {
            ejected = isEjected;
            ejectedFor = left;
            ejections = count;
            return this;
        }

        /** See {@link EndpointSnapshot#backoff()}. */
        public Builder backoff(Duration left) {
            backoff = left;
            return this;
        }

        /** See {@link EndpointSnapshot#check()}. */
        public Builder check(CheckState state) {
            check = state;
            return this;
        }

        /** See {@link EndpointSnapshot#checkError()}. */
        public Builder checkError(@Nullable String error) {
            checkError = error;
            return this;
        }

        /** See {@link EndpointSnapshot#inFlight()}. */
        public Builder inFlight(int requests) {
            inFlight = requests;
            return this;
        }

        /** See {@link EndpointSnapshot#picks()}. */
        public Builder picks(long count) {
            picks = count;
            return this;
        }

        /** See {@link EndpointSnapshot#failures()} and {@link EndpointSnapshot#consecutiveFailures()}. */
        public Builder failures(long count, int consecutive) {
            failures = count;
            consecutiveFailures = consecutive;
            return this;
        }

        /** See {@link EndpointSnapshot#circuit()}. */
        public Builder circuit(Breaker.@Nullable State state) {
            circuit = state;
            return this;
        }

        /** See {@link EndpointSnapshot#learntLimit()}. */
        public Builder learntLimit(int requests) {
            learntLimit = requests;
            return this;
        }

        /** See {@link EndpointSnapshot#latency()}. */
        public Builder latency(Duration average) {
            latency = average;
            return this;
        }

        /** See {@link EndpointSnapshot#effectiveWeight()}. */
        public Builder effectiveWeight(double weight) {
            effectiveWeight = weight;
            return this;
        }

        /** See {@link EndpointSnapshot#limit()}. */
        public Builder limit(int most) {
            limit = most;
            return this;
        }

        /** See {@link EndpointSnapshot#lastError()}. */
        public Builder lastError(@Nullable String error) {
            lastError = error;
            return this;
        }

        /** The snapshot. */
        public EndpointSnapshot build() {
            return new EndpointSnapshot(this);
        }
    }
}
