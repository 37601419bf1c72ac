package io.fairlead.health;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How servers are checked from outside: a TCP connection, or a GET whose status must be below 400, every interval. A
 * server is down after {@link #fall()} failed checks in a row and up after {@link #rise()} that passed; until its first
 * verdict it is taken as up.
 *
 * <p>Immutable; equal by value.
 */
public final class HealthCheck {
    private final @Nullable String path;
    private final @Nullable String hostname;
    private final int port;
    private final Duration interval;
    private final Duration timeout;
    private final int fall;
    private final int rise;

    private HealthCheck(Builder builder) {
        path = builder.path;
        hostname = builder.hostname;
        port = builder.port;
        interval = builder.interval;
        timeout = builder.timeout;
        fall = builder.fall;
        rise = builder.rise;
    }

    /** Begins a check: TCP, every 10 s, 3 s of time, fall 3, rise 2. */
    public static Builder builder() {
        return new Builder();
    }

    /** The path that is got; null: a TCP connection is enough (TLS handshake included where the server speaks it). */
    public @Nullable String path() {
        return path;
    }

    /** The Host that is sent; null: the server's own. */
    public @Nullable String hostname() {
        return hostname;
    }

    /** The port that is connected to; 0: the server's own. */
    public int port() {
        return port;
    }

    /** From the beginning of one check to the beginning of the next. */
    public Duration interval() {
        return interval;
    }

    /** How long a check may take in all. */
    public Duration timeout() {
        return timeout;
    }

    /** Failed checks in a row that take a server down. */
    public int fall() {
        return fall;
    }

    /** Passed checks in a row that bring it back. */
    public int rise() {
        return rise;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof HealthCheck)) {
            return false;
        }
        HealthCheck that = (HealthCheck) other;
        return Objects.equals(path, that.path)
                && Objects.equals(hostname, that.hostname)
                && port == that.port
                && interval.equals(that.interval)
                && timeout.equals(that.timeout)
                && fall == that.fall
                && rise == that.rise;
    }

    @Override
    public int hashCode() {
        return Objects.hash(path, hostname, port, interval, timeout, fall, rise);
    }

    @Override
    public String toString() {
        return "HealthCheck{" + (path == null ? "tcp" : path) + ", interval=" + interval + ", timeout=" + timeout
                + ", fall=" + fall + ", rise=" + rise + "}";
    }

    /** Builds a check; not safe for use from several threads. Each method throws where its value is out of range. */
    public static final class Builder {
        private @Nullable String path;
        private @Nullable String hostname;
        private int port;
        private Duration interval = Duration.ofSeconds(10);
        private Duration timeout = Duration.ofSeconds(3);
        private int fall = 3;
        private int rise = 2;

        private Builder() {}

        /** The path to get, from its slash on; null: TCP only. */
        public Builder path(@Nullable String path) {
            if (path != null && !isPath(path)) {
                throw new IllegalArgumentException("'" + path + "' is not a path that begins with /");
            }
            this.path = path;
            return this;
        }

        /** The Host to send; null: the server's own. */
        public Builder hostname(@Nullable String hostname) {
            if (hostname != null && !isFieldText(hostname)) {
                throw new IllegalArgumentException("the hostname has a character that no Host can have");
            }
            this.hostname = hostname;
            return this;
        }

        /** The port to connect to, 0 to 65535; 0: the server's own. */
        public Builder port(int port) {
            if (port < 0 || port > 65535) {
                throw new IllegalArgumentException("port " + port + " is not from 1 to 65535");
            }
            this.port = port;
            return this;
        }

        /** From one check to the next; more than zero. */
        public Builder interval(Duration interval) {
            this.interval = positive(interval, "interval");
            return this;
        }

        /** How long a check may take; more than zero. */
        public Builder timeout(Duration timeout) {
            this.timeout = positive(timeout, "timeout");
            return this;
        }

        /** Failed checks that take a server down; at least 1. */
        public Builder fall(int fall) {
            this.fall = atLeastOne(fall, "fall");
            return this;
        }

        /** Passed checks that bring it back; at least 1. */
        public Builder rise(int rise) {
            this.rise = atLeastOne(rise, "rise");
            return this;
        }

        /** The check. */
        public HealthCheck build() {
            return new HealthCheck(this);
        }

        private static boolean isPath(String path) {
            return path.startsWith("/") && isFieldText(path);
        }

        private static boolean isFieldText(String text) {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) <= ' ' || text.charAt(i) >= 127) {
                    return false;
                }
            }
            return true;
        }
    }

    static Duration positive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " must be more than zero");
        }
        return duration;
    }

    static int atLeastOne(int number, String what) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, not " + number);
        }
        return number;
    }
}
