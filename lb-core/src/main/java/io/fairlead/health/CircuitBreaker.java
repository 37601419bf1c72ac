package io.fairlead.health;

import java.time.Duration;
import java.util.Objects;

/**
 * When a server's circuit breaker opens and closes (M. Nygard, <i>Release It!</i>). Closed, it counts the ends of
 * requests over a {@link #window()}; at a failure, when there were at least {@link #minRequests()} and at least
 * {@link #failurePercent()} percent of them failed, it opens. Open, the server gets no request for
 * {@link #openDuration()}. Then it is half-open: at most {@link #probes()} requests at a time are let through. The first
 * probe that fails opens it again, for twice as long as before but no longer than {@link #maxOpenDuration()};
 * {@link #requiredSuccesses()} probes that succeed close it.
 *
 * <p>Unlike an ejection an open breaker is never set aside: when those of all servers are open, the service has none.
 *
 * <p>Immutable; equal by value.
 */
public final class CircuitBreaker {
    private final int failurePercent;
    private final int minRequests;
    private final Duration window;
    private final Duration openDuration;
    private final Duration maxOpenDuration;
    private final int probes;
    private final int requiredSuccesses;

    private CircuitBreaker(Builder builder) {
        failurePercent = builder.failurePercent;
        minRequests = builder.minRequests;
        window = builder.window;
        openDuration = builder.openDuration;
        maxOpenDuration = builder.maxOpenDuration;
        probes = builder.probes;
        requiredSuccesses = builder.requiredSuccesses;
    }

    /** Begins a breaker: 50 % of at least 20 requests in 10 s; open for 10 s to 1 min; 1 probe at a time, 3 to close. */
    public static Builder builder() {
        return new Builder();
    }

    /** The share of failures, in percent, that opens. */
    public int failurePercent() {
        return failurePercent;
    }

    /** How many requests must have ended within the window. */
    public int minRequests() {
        return minRequests;
    }

    /** The time over which ends are counted, in ten slices: the oldest is dropped whole. */
    public Duration window() {
        return window;
    }

    /** How long it is open at first. */
    public Duration openDuration() {
        return openDuration;
    }

    /** How long it is open at most. */
    public Duration maxOpenDuration() {
        return maxOpenDuration;
    }

    /** Requests in flight at a time while half-open. */
    public int probes() {
        return probes;
    }

    /** Successful probes that close it. */
    public int requiredSuccesses() {
        return requiredSuccesses;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof CircuitBreaker)) {
            return false;
        }
        CircuitBreaker that = (CircuitBreaker) other;
        return failurePercent == that.failurePercent
                && minRequests == that.minRequests
                && window.equals(that.window)
                && openDuration.equals(that.openDuration)
                && maxOpenDuration.equals(that.maxOpenDuration)
                && probes == that.probes
                && requiredSuccesses == that.requiredSuccesses;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                failurePercent, minRequests, window, openDuration, maxOpenDuration, probes, requiredSuccesses);
    }

    @Override
    public String toString() {
        return "CircuitBreaker{" + failurePercent + " % of " + minRequests + " in " + window + ", open " + openDuration
                + " to " + maxOpenDuration + ", probes " + probes + ", required " + requiredSuccesses + "}";
    }

    /** Builds a breaker; not safe for use from several threads. Each method throws where its value is out of range. */
    public static final class Builder {
        private int failurePercent = 50;
        private int minRequests = 20;
        private Duration window = Duration.ofSeconds(10);
        private Duration openDuration = Duration.ofSeconds(10);
        private Duration maxOpenDuration = Duration.ofMinutes(1);
        private int probes = 1;
        private int requiredSuccesses = 3;

        private Builder() {}

        /** The share of failures that opens, 1 to 100 percent. */
        public Builder failurePercent(int percent) {
            failurePercent = Ranges.check(percent, 1, 100, "failurePercent");
            return this;
        }

        /** How many requests must have ended within the window; at least 1. */
        public Builder minRequests(int requests) {
            minRequests = Ranges.check(requests, 1, Integer.MAX_VALUE, "minRequests");
            return this;
        }

        /** The time over which ends are counted; more than zero. */
        public Builder window(Duration time) {
            window = HealthCheck.positive(time, "window");
            return this;
        }

        /** How long it is open at first; more than zero. */
        public Builder openDuration(Duration time) {
            openDuration = HealthCheck.positive(time, "openDuration");
            return this;
        }

        /** How long it is open at most; more than zero. One below {@link #openDuration} counts as equal to it. */
        public Builder maxOpenDuration(Duration time) {
            maxOpenDuration = HealthCheck.positive(time, "maxOpenDuration");
            return this;
        }

        /** Requests in flight at a time while half-open; at least 1. */
        public Builder probes(int count) {
            probes = Ranges.check(count, 1, Integer.MAX_VALUE, "probes");
            return this;
        }

        /** Successful probes that close it; at least 1. */
        public Builder requiredSuccesses(int count) {
            requiredSuccesses = Ranges.check(count, 1, Integer.MAX_VALUE, "requiredSuccesses");
            return this;
        }

        /** The breaker. */
        public CircuitBreaker build() {
            return new CircuitBreaker(this);
        }
    }
}
