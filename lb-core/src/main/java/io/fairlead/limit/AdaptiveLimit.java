package io.fairlead.limit;

import io.fairlead.Ticker;
import java.time.Duration;
import java.util.Objects;

/**
 * How the limit of the requests in flight at each server is learnt from its answers, after Netflix's
 * concurrency-limits and Palantir's Dialogue.
 *
 * <p>Immutable; equal by value.
 */
public final class AdaptiveLimit {
    /** The ways of learning. */
    public enum Algorithm {
        /** Additive increase, multiplicative decrease: one more after each round of answers, less after a failure. */
        AIMD,
        /** By how the latency of late compares with that of old, and as AIMD after a failure. */
        GRADIENT
    }

    private final Algorithm algorithm;
    private final int initial;
    private final int min;
    private final int max;
    private final double backoff;
    private final double tolerance;
    private final double smoothing;
    private final Duration window;

    private AdaptiveLimit(Builder builder) {
        algorithm = builder.algorithm;
        min = builder.min;
        max = builder.max;
        initial = Math.max(min, Math.min(max, builder.initial));
        backoff = builder.backoff;
        tolerance = builder.tolerance;
        smoothing = builder.smoothing;
        window = builder.window;
    }

    /** Begins a limit: AIMD from 20, 1 to 1000, 0.9 after a failure. */
    public static Builder builder() {
        return new Builder();
    }

    /** The way of learning. */
    public Algorithm algorithm() {
        return algorithm;
    }

    /** The limit of a server of which nothing is known. */
    public int initial() {
        return initial;
    }

    /** The least limit. */
    public int min() {
        return min;
    }

    /** The greatest limit. */
    public int max() {
        return max;
    }

    /** By what the limit is multiplied after a failure. */
    public double backoff() {
        return backoff;
    }

    /** Gradient: how many times its average of old the latency may be before the limit falls. */
    public double tolerance() {
        return tolerance;
    }

    /** Gradient: the share of the new in each step. */
    public double smoothing() {
        return smoothing;
    }

    /** Gradient: the time over which answers are averaged for one step. */
    public Duration window() {
        return window;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof AdaptiveLimit)) {
            return false;
        }
        AdaptiveLimit that = (AdaptiveLimit) other;
        return algorithm == that.algorithm
                && initial == that.initial
                && min == that.min
                && max == that.max
                && Double.compare(backoff, that.backoff) == 0
                && Double.compare(tolerance, that.tolerance) == 0
                && Double.compare(smoothing, that.smoothing) == 0
                && window.equals(that.window);
    }

    @Override
    public int hashCode() {
        return Objects.hash(algorithm, initial, min, max, backoff, tolerance, smoothing, window);
    }

    @Override
    public String toString() {
        return "AdaptiveLimit{" + algorithm + " from " + initial + ", " + min + " to " + max + ", backoff " + backoff
                + ", tolerance " + tolerance + ", smoothing " + smoothing + ", window " + window + "}";
    }

    /** Builds a limit; not safe for use from several threads. Each method throws where its value is out of range. */
    public static final class Builder {
        private Algorithm algorithm = Algorithm.AIMD;
        private int initial = 20;
        private int min = 1;
        private int max = 1000;
        private double backoff = 0.9;
        private double tolerance = 1.5;
        private double smoothing = 0.2;
        private Duration window = Duration.ofSeconds(1);

        private Builder() {}

        /** The way of learning. */
        public Builder algorithm(Algorithm way) {
            algorithm = way;
            return this;
        }

        /** The limit of a server of which nothing is known, at least 1; moved to between min and max. */
        public Builder initial(int requests) {
            initial = atLeastOne(requests, "initial");
            return this;
        }

        /** The least limit, at least 1. */
        public Builder min(int requests) {
            min = atLeastOne(requests, "min");
            return this;
        }

        /** The greatest limit, at least 1. */
        public Builder max(int requests) {
            max = atLeastOne(requests, "max");
            return this;
        }

        /** By what the limit is multiplied after a failure, from 0.1 to 1. */
        public Builder backoff(double factor) {
            backoff = within(factor, 0.1, 1, "backoff");
            return this;
        }

        /** How many times its average of old the latency may be before the limit falls, from 1 to 10. */
        public Builder tolerance(double factor) {
            tolerance = within(factor, 1, 10, "tolerance");
            return this;
        }

        /** The share of the new in each step, from 0.01 to 1. */
        public Builder smoothing(double share) {
            smoothing = within(share, 0.01, 1, "smoothing");
            return this;
        }

        /** The time over which answers are averaged for one step, more than zero. */
        public Builder window(Duration time) {
            if (time.isZero() || time.isNegative()) {
                throw new IllegalArgumentException("window must be more than zero");
            }
            window = Ticker.bounded(time);
            return this;
        }

        /**
         * The limit.
         *
         * @throws IllegalArgumentException the least limit is above the greatest
         */
        public AdaptiveLimit build() {
            if (min > max) {
                throw new IllegalArgumentException("min, " + min + ", is above max, " + max);
            }
            return new AdaptiveLimit(this);
        }

        private static int atLeastOne(int number, String option) {
            if (number < 1) {
                throw new IllegalArgumentException(option + " must be at least 1, not " + number);
            }
            return number;
        }

        private static double within(double number, double least, double greatest, String option) {
            if (!(number >= least && number <= greatest)) {
                throw new IllegalArgumentException(
                        option + " must be from " + least + " to " + greatest + ", not " + number);
            }
            return number;
        }
    }
}
