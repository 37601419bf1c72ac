package io.fairlead.health;

import java.time.Duration;
import java.util.Objects;

/**
 * When a server is ejected for the failures of the requests that it is sent: after
 * {@link #maxFailedAttempts()} in a row within {@link #failureWindow()}. It stays out for {@link #baseEjection()} times
 * the number of its ejections of late, {@link #maxEjection()} at most; never are more than
 * {@link #maxEjectedPercent()} of the servers out, and never the last one.
 *
 * <p>Immutable; equal by value.
 */
public final class PassiveHealthCheck {
    private final int maxFailedAttempts;
    private final Duration failureWindow;
    private final Duration baseEjection;
    private final Duration maxEjection;
    private final int maxEjectedPercent;

    private PassiveHealthCheck(Builder builder) {
        maxFailedAttempts = builder.maxFailedAttempts;
        failureWindow = builder.failureWindow;
        baseEjection = builder.baseEjection;
        maxEjection = builder.maxEjection;
        maxEjectedPercent = builder.maxEjectedPercent;
    }

    /** Begins a check: 5 failures within 10 s, out for 30 s to 5 min, 50 % at most. */
    public static Builder builder() {
        return new Builder();
    }

    /** Failures in a row that eject. */
    public int maxFailedAttempts() {
        return maxFailedAttempts;
    }

    /** The time within which they must fall. */
    public Duration failureWindow() {
        return failureWindow;
    }

    /** How long the first ejection lasts. */
    public Duration baseEjection() {
        return baseEjection;
    }

    /** How long any ejection lasts at most. */
    public Duration maxEjection() {
        return maxEjection;
    }

    /** The share of the servers that may be out at a time, in percent, rounded down to whole servers but at least one. */
    public int maxEjectedPercent() {
        return maxEjectedPercent;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof PassiveHealthCheck)) {
            return false;
        }
        PassiveHealthCheck that = (PassiveHealthCheck) other;
        return maxFailedAttempts == that.maxFailedAttempts
                && failureWindow.equals(that.failureWindow)
                && baseEjection.equals(that.baseEjection)
                && maxEjection.equals(that.maxEjection)
                && maxEjectedPercent == that.maxEjectedPercent;
    }

    @Override
    public int hashCode() {
        return Objects.hash(maxFailedAttempts, failureWindow, baseEjection, maxEjection, maxEjectedPercent);
    }

    @Override
    public String toString() {
        return "PassiveHealthCheck{" + maxFailedAttempts + " in " + failureWindow + ", ejection " + baseEjection
                + " to " + maxEjection + ", at most " + maxEjectedPercent + " %}";
    }

    /** Builds a check; not safe for use from several threads. Each method throws where its value is out of range. */
    public static final class Builder {
        private int maxFailedAttempts = 5;
        private Duration failureWindow = Duration.ofSeconds(10);
        private Duration baseEjection = Duration.ofSeconds(30);
        private Duration maxEjection = Duration.ofMinutes(5);
        private int maxEjectedPercent = 50;

        private Builder() {}

        /** Failures in a row that eject; at least 1. */
        public Builder maxFailedAttempts(int attempts) {
            maxFailedAttempts = HealthCheck.atLeastOne(attempts, "maxFailedAttempts");
            return this;
        }

        /** The time within which they must fall; more than zero. */
        public Builder failureWindow(Duration window) {
            failureWindow = HealthCheck.positive(window, "failureWindow");
            return this;
        }

        /** How long the first ejection lasts; more than zero. */
        public Builder baseEjection(Duration ejection) {
            baseEjection = HealthCheck.positive(ejection, "baseEjection");
            return this;
        }

        /** How long any ejection lasts at most; more than zero. */
        public Builder maxEjection(Duration ejection) {
            maxEjection = HealthCheck.positive(ejection, "maxEjection");
            return this;
        }

        /** The share of the servers that may be out, 0 to 100. */
        public Builder maxEjectedPercent(int percent) {
            if (percent < 0 || percent > 100) {
                throw new IllegalArgumentException("maxEjectedPercent must be from 0 to 100, not " + percent);
            }
            maxEjectedPercent = percent;
            return this;
        }

        /** The check. */
        public PassiveHealthCheck build() {
            return new PassiveHealthCheck(this);
        }
    }
}
