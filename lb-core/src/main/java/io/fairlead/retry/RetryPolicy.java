package io.fairlead.retry;

import io.fairlead.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When the requests of a service are sent again, and what that may cost. {@link #DEFAULT} is what holds where nothing is
 * configured.
 *
 * <p>Immutable; equal by value.
 */
public final class RetryPolicy {
    /** What may be tried again, beside answers of certain statuses. */
    public enum Failure {
        /** No connection came about: nothing was sent, so the method does not matter. */
        CONNECT,
        /** The connection broke before the head of an answer. */
        BROKEN,
        /** A time limit ran out before the head of an answer. */
        TIMEOUT
    }

    /** The most {@link #attempts()} that can be asked for. */
    public static final int MAX_ATTEMPTS = 10;

    /** The largest {@link #bufferBody()} that can be asked for, in bytes. */
    public static final int MAX_BUFFER = 64 << 20;

    private static final Set<String> IDEMPOTENT = unmodifiable("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

    /** Three tries, no time limits, no waiting, no status, 64 KiB of a body, 20 % and 10 a second. */
    public static final RetryPolicy DEFAULT = builder().build();

    private final int attempts;
    private final Duration perTryTimeout;
    private final Duration timeout;
    private final Set<String> methods;
    private final Set<Integer> statuses;
    private final Set<Failure> failures;
    private final Backoff backoff;
    private final boolean retryAfter;
    private final Duration maxRetryAfter;
    private final int bufferBody;
    private final int budgetPercent;
    private final int budgetPerSecond;

    private RetryPolicy(Builder builder) {
        attempts = builder.attempts;
        perTryTimeout = builder.perTryTimeout;
        timeout = builder.timeout;
        methods = builder.methods;
        statuses = builder.statuses;
        failures = builder.failures();
        backoff = builder.backoff;
        retryAfter = builder.retryAfter;
        maxRetryAfter = builder.maxRetryAfter;
        bufferBody = builder.bufferBody;
        budgetPercent = builder.budgetPercent;
        budgetPerSecond = builder.budgetPerSecond;
    }

    /** Begins a policy with the values of {@link #DEFAULT}. */
    public static Builder builder() {
        return new Builder();
    }

    /** How often a request is sent in all, the first time included; a try on a stale connection is none. */
    public int attempts() {
        return attempts;
    }

    /** How long one try may take to the head of its answer. Zero: no limit of its own. */
    public Duration perTryTimeout() {
        return perTryTimeout;
    }

    /** How long all tries together may take to the head of an answer, waiting included. Zero: no limit. */
    public Duration timeout() {
        return timeout;
    }

    /** The methods, in upper case, that are sent again although the server may have seen them; unmodifiable. */
    public Set<String> methods() {
        return methods;
    }

    /** The statuses of answers that are not passed on while a try is left; unmodifiable. */
    public Set<Integer> statuses() {
        return statuses;
    }

    /** The failures after which a request is sent again; unmodifiable. */
    public Set<Failure> failures() {
        return failures;
    }

    /** How long to wait before a request is sent again. */
    public Backoff backoff() {
        return backoff;
    }

    /** Whether the {@code Retry-After} of an answer that is not passed on is waited for. */
    public boolean retryAfter() {
        return retryAfter;
    }

    /** The longest that a {@code Retry-After} is waited for; a longer one counts as this. */
    public Duration maxRetryAfter() {
        return maxRetryAfter;
    }

    /** So many bytes of a request's body the proxy keeps, so that they can be sent again. */
    public int bufferBody() {
        return bufferBody;
    }

    /** Retries in percent of the requests; those where nothing was sent do not count. */
    public int budgetPercent() {
        return budgetPercent;
    }

    /** Retries a second beside that. */
    public int budgetPerSecond() {
        return budgetPerSecond;
    }

    /** A budget as large as this policy says. */
    public RetryBudget newBudget(Ticker ticker) {
        return new RetryBudget(ticker, budgetPercent / 100.0, budgetPerSecond);
    }

    /** Whether {@link #newBudget} gives the same with the other policy. */
    public boolean hasBudgetOf(RetryPolicy other) {
        return budgetPercent == other.budgetPercent && budgetPerSecond == other.budgetPerSecond;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof RetryPolicy)) {
            return false;
        }
        RetryPolicy that = (RetryPolicy) other;
        return attempts == that.attempts
                && perTryTimeout.equals(that.perTryTimeout)
                && timeout.equals(that.timeout)
                && methods.equals(that.methods)
                && statuses.equals(that.statuses)
                && failures.equals(that.failures)
                && backoff.equals(that.backoff)
                && retryAfter == that.retryAfter
                && maxRetryAfter.equals(that.maxRetryAfter)
                && bufferBody == that.bufferBody
                && hasBudgetOf(that);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                attempts,
                perTryTimeout,
                timeout,
                methods,
                statuses,
                failures,
                backoff,
                retryAfter,
                maxRetryAfter,
                bufferBody,
                budgetPercent,
                budgetPerSecond);
    }

    @Override
    public String toString() {
        return "RetryPolicy{attempts=" + attempts + ", perTryTimeout=" + perTryTimeout + ", timeout=" + timeout
                + ", methods=" + methods + ", statuses=" + statuses + ", failures=" + failures + ", backoff=" + backoff
                + ", retryAfter=" + retryAfter + ", maxRetryAfter=" + maxRetryAfter + ", bufferBody=" + bufferBody
                + ", budget=" + budgetPercent + " % + " + budgetPerSecond + "/s}";
    }

    private static Set<String> unmodifiable(String... texts) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(texts)));
    }

    /** Builds a policy; not safe for use from several threads. Each method throws where its value is out of range. */
    public static final class Builder {
        private int attempts = 3;
        private Duration perTryTimeout = Duration.ZERO;
        private Duration timeout = Duration.ZERO;
        private Set<String> methods = IDEMPOTENT;
        private Set<Integer> statuses = Collections.emptySet();
        private @Nullable Set<Failure> failures;
        private Backoff backoff = Backoff.NONE;
        private boolean retryAfter = true;
        private Duration maxRetryAfter = Duration.ofSeconds(2);
        private int bufferBody = 64 << 10;
        private int budgetPercent = 20;
        private int budgetPerSecond = 10;

        private Builder() {}

        /** How often a request is sent in all, from 1 to {@link #MAX_ATTEMPTS}; 1: never again. Default 3. */
        public Builder attempts(int attempts) {
            this.attempts = inRange(attempts, 1, MAX_ATTEMPTS, "attempts");
            return this;
        }

        /** How long one try may take to the head of its answer; zero, the default: no limit of its own. */
        public Builder perTryTimeout(Duration perTryTimeout) {
            this.perTryTimeout = Backoff.notNegative(perTryTimeout, "perTryTimeout");
            return this;
        }

        /** How long all tries together may take to the head of an answer; zero, the default: no limit. */
        public Builder timeout(Duration timeout) {
            this.timeout = Backoff.notNegative(timeout, "timeout");
            return this;
        }

        /**
         * The methods that are sent again although the server may have seen them, in any case. Default GET, HEAD,
         * OPTIONS, TRACE, PUT and DELETE. None: only what was not sent is sent again.
         */
        public Builder methods(Collection<String> methods) {
            Set<String> all = new LinkedHashSet<>();
            for (String method : methods) {
                if (!method.matches("[A-Za-z][A-Za-z0-9_-]*")) {
                    throw new IllegalArgumentException("'" + method + "' is not the name of a method");
                }
                all.add(method.toUpperCase(Locale.ROOT));
            }
            this.methods = Collections.unmodifiableSet(all);
            return this;
        }

        /** The statuses of answers that are tried again, each from 400 to 599. Default none. */
        public Builder statuses(Collection<Integer> statuses) {
            for (int status : statuses) {
                inRange(status, 400, 599, "a status that is tried again");
            }
            this.statuses = Collections.unmodifiableSet(new TreeSet<>(statuses));
            return this;
        }

        /**
         * The failures after which a request is sent again. Default {@link Failure#CONNECT} and {@link Failure#BROKEN},
         * and where there is a {@link #perTryTimeout}, {@link Failure#TIMEOUT} too.
         */
        public Builder failures(Collection<Failure> failures) {
            EnumSet<Failure> all = EnumSet.noneOf(Failure.class);
            all.addAll(failures);
            this.failures = Collections.unmodifiableSet(all);
            return this;
        }

        /** How long to wait before a request is sent again. Default {@link Backoff#NONE}. */
        public Builder backoff(Backoff backoff) {
            this.backoff = backoff;
            return this;
        }

        /** Whether a {@code Retry-After} is waited for. Default yes. */
        public Builder retryAfter(boolean retryAfter) {
            this.retryAfter = retryAfter;
            return this;
        }

        /** The longest that a {@code Retry-After} is waited for. Default 2 s. */
        public Builder maxRetryAfter(Duration maxRetryAfter) {
            this.maxRetryAfter = Backoff.notNegative(maxRetryAfter, "maxRetryAfter");
            return this;
        }

        /** Bytes of a body that are kept for another try, from 0 to {@link #MAX_BUFFER}. Default 64 KiB. */
        public Builder bufferBody(int bytes) {
            this.bufferBody = inRange(bytes, 0, MAX_BUFFER, "bufferBody");
            return this;
        }

        /**
         * What retries may cost.
         *
         * @param percent of the requests, from 0 to 1000. Default 20
         * @param perSecond retries beside that, from 0 to 1,000,000. Default 10
         */
        public Builder budget(int percent, int perSecond) {
            this.budgetPercent = inRange(percent, 0, 1000, "the percent of the budget");
            this.budgetPerSecond = inRange(perSecond, 0, 1_000_000, "the retries a second of the budget");
            return this;
        }

        /** The policy. */
        public RetryPolicy build() {
            return new RetryPolicy(this);
        }

        private Set<Failure> failures() {
            if (failures != null) {
                return failures;
            }
            return Collections.unmodifiableSet(
                    perTryTimeout.isZero()
                            ? EnumSet.of(Failure.CONNECT, Failure.BROKEN)
                            : EnumSet.allOf(Failure.class));
        }
    }

    static int inRange(int number, int min, int max, String what) {
        if (number < min || number > max) {
            throw new IllegalArgumentException(what + " must be from " + min + " to " + max + ", not " + number);
        }
        return number;
    }
}
