package io.fairlead.health;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a server is ejected for the failures of the requests that it is sent. Each of these detectors works by itself:
 *
 * <ul>
 *   <li>{@link #maxFailedAttempts()} failures in a row within {@link #failureWindow()};
 *   <li>{@link #consecutiveGatewayFailures()} gateway failures (status 502, 503 or 504, or no connection) in a row within
 *       that time, ended by any other end of a request;
 *   <li>{@link #maxFails()} failures, in a row or not, within {@link #failTimeout()}, as in nginx;
 *   <li>{@link #successRate()} and {@link #failurePercentage()}, at the end of each {@link #interval()}.
 * </ul>
 *
 * <p>A server stays out for {@link #baseEjection()} times the number of its ejections of late, {@link #maxEjection()} at
 * most; each whole {@link #interval()} that it is not out takes one off that number. For {@link #maxFails()} it stays out
 * for {@link #failTimeout()}, whatever came before. Never are more than {@link #maxEjectedPercent()} of the servers out,
 * and never the last one.
 *
 * <p>Immutable; equal by value.
 */
public final class PassiveHealthCheck {
    private static final int ATTEMPTS = 5;
    private static final Duration BASE = Duration.ofSeconds(30);
    private static final Duration MAX = Duration.ofMinutes(5);

    private final int maxFailedAttempts;
    private final Duration failureWindow;
    private final Duration baseEjection;
    private final Duration maxEjection;
    private final int maxEjectedPercent;
    private final int consecutiveGatewayFailures;
    private final int maxFails;
    private final Duration failTimeout;
    private final Duration interval;
    private final @Nullable SuccessRateEjection successRate;
    private final @Nullable FailurePercentageEjection failurePercentage;

    private PassiveHealthCheck(Builder builder) {
        maxFailedAttempts = builder.attempts();
        consecutiveGatewayFailures = builder.consecutiveGatewayFailures;
        maxFails = builder.maxFails;
        failTimeout = builder.failTimeout;
        interval = builder.interval;
        successRate = builder.successRate;
        failurePercentage = builder.failurePercentage;
        failureWindow = builder.failureWindow;
        baseEjection = builder.base();
        maxEjection = builder.max();
        maxEjectedPercent = builder.maxEjectedPercent;
    }

    /** Begins a check: 5 failures within 10 s, out for 30 s to 5 min, 50 % at most. */
    public static Builder builder() {
        return new Builder();
    }

    /** Failures in a row that eject; 0: none do. */
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

    /** Gateway failures in a row that eject; 0: none do. */
    public int consecutiveGatewayFailures() {
        return consecutiveGatewayFailures;
    }

    /** Failures within {@link #failTimeout()} that eject for that time; 0: none do. */
    public int maxFails() {
        return maxFails;
    }

    /** The time of {@link #maxFails()}. */
    public Duration failTimeout() {
        return failTimeout;
    }

    /** From one comparison of the servers to the next. */
    public Duration interval() {
        return interval;
    }

    /** How servers are compared by their success rates; null: not. */
    public @Nullable SuccessRateEjection successRate() {
        return successRate;
    }

    /** How servers are judged by their share of failures; null: not. */
    public @Nullable FailurePercentageEjection failurePercentage() {
        return failurePercentage;
    }

    /** Whether servers are looked at each {@link #interval()}. */
    boolean isSweeping() {
        return successRate != null || failurePercentage != null;
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
                && maxEjectedPercent == that.maxEjectedPercent
                && consecutiveGatewayFailures == that.consecutiveGatewayFailures
                && maxFails == that.maxFails
                && failTimeout.equals(that.failTimeout)
                && interval.equals(that.interval)
                && Objects.equals(successRate, that.successRate)
                && Objects.equals(failurePercentage, that.failurePercentage);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                maxFailedAttempts,
                failureWindow,
                baseEjection,
                maxEjection,
                maxEjectedPercent,
                consecutiveGatewayFailures,
                maxFails,
                failTimeout,
                interval,
                successRate,
                failurePercentage);
    }

    @Override
    public String toString() {
        return "PassiveHealthCheck{" + maxFailedAttempts + " in " + failureWindow + ", gateway "
                + consecutiveGatewayFailures + ", maxFails " + maxFails + " in " + failTimeout + ", each " + interval
                + " " + successRate + " " + failurePercentage + ", ejection " + baseEjection + " to " + maxEjection
                + ", at most " + maxEjectedPercent + " %}";
    }

    /** Builds a check; not safe for use from several threads. Each method throws where its value is out of range. */
    public static final class Builder {
        /** 0: not given. */
        private int maxFailedAttempts;

        private Duration failureWindow = Duration.ofSeconds(10);
        private @Nullable Duration baseEjection;
        private @Nullable Duration maxEjection;
        private int maxEjectedPercent = 50;
        private int consecutiveGatewayFailures;
        private int maxFails;
        private Duration failTimeout = Duration.ofSeconds(10);
        private Duration interval = Duration.ofSeconds(10);
        private @Nullable SuccessRateEjection successRate;
        private @Nullable FailurePercentageEjection failurePercentage;

        private Builder() {}

        /** Failures in a row that eject; at least 1. By default 5, or none where another detector is given. */
        public Builder maxFailedAttempts(int attempts) {
            maxFailedAttempts = HealthCheck.atLeastOne(attempts, "maxFailedAttempts");
            return this;
        }

        /** Gateway failures in a row that eject; 0, the default: none do. */
        public Builder consecutiveGatewayFailures(int failures) {
            consecutiveGatewayFailures = Ranges.check(failures, 0, Integer.MAX_VALUE, "consecutiveGatewayFailures");
            return this;
        }

        /** Failures within {@link #failTimeout} that eject for that time, up to 1000; 0, the default: none do. */
        public Builder maxFails(int fails) {
            maxFails = Ranges.check(fails, 0, 1000, "maxFails");
            return this;
        }

        /** The time of {@link #maxFails}; more than zero, by default 10 s. */
        public Builder failTimeout(Duration time) {
            failTimeout = HealthCheck.positive(time, "failTimeout");
            return this;
        }

        /** From one comparison of the servers to the next; more than zero, by default 10 s. */
        public Builder interval(Duration time) {
            interval = HealthCheck.positive(time, "interval");
            return this;
        }

        /** Compares the servers by their success rates; null, the default: not. */
        public Builder successRate(@Nullable SuccessRateEjection ejection) {
            successRate = ejection;
            return this;
        }

        /** Judges the servers by their share of failures; null, the default: not. */
        public Builder failurePercentage(@Nullable FailurePercentageEjection ejection) {
            failurePercentage = ejection;
            return this;
        }

        /** The time within which they must fall; more than zero. */
        public Builder failureWindow(Duration window) {
            failureWindow = HealthCheck.positive(window, "failureWindow");
            return this;
        }

        /**
         * How long the first ejection lasts; more than zero. By default 30 s, or {@link #maxEjection} where that is less.
         */
        public Builder baseEjection(Duration ejection) {
            baseEjection = HealthCheck.positive(ejection, "baseEjection");
            return this;
        }

        /**
         * How long any ejection lasts at most; more than zero. By default 5 min, or {@link #baseEjection} where that is
         * more.
         */
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

        private Duration base() {
            if (baseEjection != null) {
                return baseEjection;
            }
            return maxEjection != null && maxEjection.compareTo(BASE) < 0 ? maxEjection : BASE;
        }

        private Duration max() {
            if (maxEjection != null) {
                return maxEjection;
            }
            return baseEjection != null && baseEjection.compareTo(MAX) > 0 ? baseEjection : MAX;
        }

        /** Who asks for one way of counting gets no other unasked. */
        private int attempts() {
            boolean others =
                    consecutiveGatewayFailures > 0 || maxFails > 0 || successRate != null || failurePercentage != null;
            return maxFailedAttempts > 0 || others ? maxFailedAttempts : ATTEMPTS;
        }

        /** The check. */
        public PassiveHealthCheck build() {
            return new PassiveHealthCheck(this);
        }
    }
}
