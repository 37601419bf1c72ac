package io.fairlead.retry;

import java.time.Duration;
import java.util.Objects;

/**
 * When a second copy of a slow request is sent to another server, whose first answer wins (Dean and Barroso, "The Tail at
 * Scale", CACM 2013).
 *
 * <p>Immutable; equal by value.
 */
public final class HedgePolicy {
    private final double quantile;
    private final Duration minDelay;
    private final int maxExtra;
    private final int budgetPercent;

    private HedgePolicy(Builder builder) {
        quantile = builder.quantile;
        minDelay = builder.minDelay;
        maxExtra = builder.maxExtra;
        budgetPercent = builder.budgetPercent;
    }

    /** Begins a policy: after the 95th percentile, never before 10 ms, one copy, 5 % more requests. */
    public static Builder builder() {
        return new Builder();
    }

    /** The share of recent requests that were answered before a copy is sent. */
    public double quantile() {
        return quantile;
    }

    /** The shortest time after which a copy is sent. */
    public Duration minDelay() {
        return minDelay;
    }

    /** How many copies of one request are sent at the most. */
    public int maxExtra() {
        return maxExtra;
    }

    /** Copies in percent of the requests that may be copied. */
    public int budgetPercent() {
        return budgetPercent;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof HedgePolicy)) {
            return false;
        }
        HedgePolicy that = (HedgePolicy) other;
        return Double.compare(quantile, that.quantile) == 0
                && minDelay.equals(that.minDelay)
                && maxExtra == that.maxExtra
                && budgetPercent == that.budgetPercent;
    }

    @Override
    public int hashCode() {
        return Objects.hash(quantile, minDelay, maxExtra, budgetPercent);
    }

    @Override
    public String toString() {
        return "HedgePolicy{quantile=" + quantile + ", minDelay=" + minDelay + ", maxExtra=" + maxExtra + ", budget="
                + budgetPercent + " %}";
    }

    /** Builds a policy; not safe for use from several threads. Each method throws where its value is out of range. */
    public static final class Builder {
        private double quantile = 0.95;
        private Duration minDelay = Duration.ofMillis(10);
        private int maxExtra = 1;
        private int budgetPercent = 5;

        private Builder() {}

        /** From 0.5 to 0.999. Default 0.95. */
        public Builder quantile(double quantile) {
            if (!(quantile >= 0.5 && quantile <= 0.999)) {
                throw new IllegalArgumentException("quantile must be from 0.5 to 0.999, not " + quantile);
            }
            this.quantile = quantile;
            return this;
        }

        /** The shortest time after which a copy is sent; may be zero. Default 10 ms. */
        public Builder minDelay(Duration minDelay) {
            this.minDelay = Backoff.notNegative(minDelay, "minDelay");
            return this;
        }

        /** Copies of one request, from 1 to 3. Default 1. */
        public Builder maxExtra(int maxExtra) {
            this.maxExtra = RetryPolicy.inRange(maxExtra, 1, 3, "maxExtra");
            return this;
        }

        /** Copies in percent of the requests, from 1 to 100. Default 5. */
        public Builder budgetPercent(int budgetPercent) {
            this.budgetPercent = RetryPolicy.inRange(budgetPercent, 1, 100, "budgetPercent");
            return this;
        }

        /** The policy. */
        public HedgePolicy build() {
            return new HedgePolicy(this);
        }
    }
}
