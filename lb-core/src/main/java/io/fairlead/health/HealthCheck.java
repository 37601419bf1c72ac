package io.fairlead.health;

import io.fairlead.Ticker;
import io.fairlead.tls.ClientTls;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How servers are checked from outside: by a TCP connection, or by an HTTP request whose answer must have one of the
 * statuses that are expected, every interval. A server is down after {@link #fall()} failed checks in a row and up after
 * {@link #rise()} that passed. Until its first verdict it is taken as up, or not, as {@link #initiallyUp()} says; that
 * first verdict needs one passed check only.
 *
 * <p>Immutable; equal by value.
 */
public final class HealthCheck {
    private final @Nullable String path;
    private final String method;
    private final @Nullable String scheme;
    private final @Nullable String hostname;
    private final int port;
    private final Map<String, String> headers;
    private final StatusCodes status;
    private final @Nullable Pattern bodyPattern;
    private final boolean followRedirects;
    private final Duration interval;
    private final @Nullable Duration unhealthyInterval;
    private final int jitter;
    private final Duration timeout;
    private final int fall;
    private final int rise;
    private final boolean initiallyUp;
    private final ClientTls tls;

    private HealthCheck(Builder builder) {
        tls = ClientTls.DEFAULT;
        path = builder.path;
        method = builder.method;
        scheme = builder.scheme;
        hostname = builder.hostname;
        port = builder.port;
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(builder.headers));
        status = builder.status;
        bodyPattern = builder.bodyPattern;
        followRedirects = builder.followRedirects;
        interval = builder.interval;
        unhealthyInterval = builder.unhealthyInterval;
        jitter = builder.jitter;
        timeout = builder.timeout;
        fall = builder.fall;
        rise = builder.rise;
        initiallyUp = builder.initiallyUp;
    }

    private HealthCheck(HealthCheck other, ClientTls settings) {
        path = other.path;
        method = other.method;
        scheme = other.scheme;
        hostname = other.hostname;
        port = other.port;
        headers = other.headers;
        status = other.status;
        bodyPattern = other.bodyPattern;
        followRedirects = other.followRedirects;
        interval = other.interval;
        unhealthyInterval = other.unhealthyInterval;
        jitter = other.jitter;
        timeout = other.timeout;
        fall = other.fall;
        rise = other.rise;
        initiallyUp = other.initiallyUp;
        tls = settings;
    }

    /** Begins a check: TCP, every 10 s less up to 10 % at random, 3 s of time, fall 3, rise 2. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The path that is asked for, with its query; null: a TCP connection is enough (TLS handshake included where the
     * server speaks it).
     */
    public @Nullable String path() {
        return path;
    }

    /** The method of the request. */
    public String method() {
        return method;
    }

    /** {@code http} or {@code https}; null: the server's own. */
    public @Nullable String scheme() {
        return scheme;
    }

    /** The Host that is sent, and with TLS the name that is asked for (SNI); null: the server's own. */
    public @Nullable String hostname() {
        return hostname;
    }

    /** The port that is connected to; 0: the server's own. */
    public int port() {
        return port;
    }

    /** Further header fields of the request; unmodifiable. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The statuses that pass. */
    public StatusCodes status() {
        return status;
    }

    /** What must be found in the answer's body, of which the first 64 KiB are read, as UTF-8; null: anything. */
    public @Nullable Pattern bodyPattern() {
        return bodyPattern;
    }

    /** Whether a redirect to the same server is followed, five times at most; else it is an answer like any other. */
    public boolean followRedirects() {
        return followRedirects;
    }

    /** From the beginning of one check to the beginning of the next, at most. */
    public Duration interval() {
        return interval;
    }

    /** The interval after a failed check of a server that is down. */
    public Duration unhealthyInterval() {
        return unhealthyInterval == null ? interval : unhealthyInterval;
    }

    /** By how much an interval is shortened at random, at most, in percent. */
    public int jitter() {
        return jitter;
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

    /** Whether a server that comes into the list can be used before its first verdict. */
    public boolean initiallyUp() {
        return initiallyUp;
    }

    /** How TLS is spoken to the servers; a server name there goes before the {@link #hostname()}. */
    public ClientTls tls() {
        return tls;
    }

    /** This check with another {@link #tls()}, which is that of the requests to the same servers. */
    public HealthCheck withTls(ClientTls settings) {
        return new HealthCheck(this, settings);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HealthCheck && values().equals(((HealthCheck) other).values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "HealthCheck{" + (path == null ? "tcp" : method + " " + path) + ", interval=" + interval + ", timeout="
                + timeout + ", fall=" + fall + ", rise=" + rise + "}";
    }

    private List<@Nullable Object> values() {
        return Arrays.asList(
                path,
                method,
                scheme,
                hostname,
                port,
                headers,
                status,
                bodyPattern == null ? null : bodyPattern.pattern(),
                bodyPattern == null ? 0 : bodyPattern.flags(),
                followRedirects,
                interval,
                unhealthyInterval(),
                jitter,
                timeout,
                fall,
                rise,
                initiallyUp,
                tls);
    }

    /** Builds a check; not safe for use from several threads. Each method throws where its value is out of range. */
    public static final class Builder {
        /** What the check itself says in each request. */
        private static final List<String> OWN =
                Arrays.asList("host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "expect");

        private @Nullable String path;
        private String method = "GET";
        private @Nullable String scheme;
        private @Nullable String hostname;
        private int port;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private StatusCodes status = StatusCodes.BELOW_400;
        private @Nullable Pattern bodyPattern;
        private boolean followRedirects;
        private Duration interval = Duration.ofSeconds(10);
        private @Nullable Duration unhealthyInterval;
        private int jitter = 10;
        private Duration timeout = Duration.ofSeconds(3);
        private int fall = 3;
        private int rise = 2;
        private boolean initiallyUp = true;

        private Builder() {}

        /** The path to ask for, from its slash on; null: TCP only. */
        public Builder path(@Nullable String path) {
            if (path != null && !isPath(path)) {
                throw new IllegalArgumentException("'" + path + "' is not a path that begins with /");
            }
            this.path = path;
            return this;
        }

        /** The method, in capital letters; any but CONNECT. */
        public Builder method(String method) {
            if (!method.matches("[A-Z]{1,32}") || method.equals("CONNECT")) {
                throw new IllegalArgumentException("'" + method + "' is not a method such as GET, HEAD or OPTIONS");
            }
            this.method = method;
            return this;
        }

        /** {@code http} or {@code https}; null: the server's own. Without a port in its URL, the port follows. */
        public Builder scheme(@Nullable String scheme) {
            if (scheme != null && !scheme.equals("http") && !scheme.equals("https")) {
                throw new IllegalArgumentException("must be http or https, not '" + scheme + "'");
            }
            this.scheme = scheme;
            return this;
        }

        /** The Host to send, and the name for SNI; null: the server's own. */
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

        /**
         * Adds a header field to the request, or replaces it, {@code User-Agent} and {@code Accept} too; those that say
         * how the request is sent, and Host, are refused.
         */
        public Builder header(String name, String value) {
            if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
                throw new IllegalArgumentException("'" + name + "' is not the name of a header field");
            }
            if (OWN.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        name.equalsIgnoreCase("host")
                                ? "is said by the hostname of the check"
                                : "is said by the check itself");
            }
            if (!value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 127))) {
                throw new IllegalArgumentException("has a character that no header field can have");
            }
            headers.keySet().removeIf(name::equalsIgnoreCase);
            headers.put(name, value.trim());
            return this;
        }

        /** The statuses that pass; default 200 to 399. */
        public Builder status(StatusCodes status) {
            this.status = status;
            return this;
        }

        /** What must be found somewhere in the first 64 KiB of the body; null, the default: anything. */
        public Builder bodyPattern(@Nullable Pattern bodyPattern) {
            this.bodyPattern = bodyPattern;
            return this;
        }

        /** Whether redirects to the same server are followed; default false. */
        public Builder followRedirects(boolean followRedirects) {
            this.followRedirects = followRedirects;
            return this;
        }

        /** From one check to the next; more than zero. */
        public Builder interval(Duration interval) {
            this.interval = positive(interval, "interval");
            return this;
        }

        /** The interval after a failed check of a server that is down, more than zero; null, the default: no other. */
        public Builder unhealthyInterval(@Nullable Duration unhealthyInterval) {
            this.unhealthyInterval =
                    unhealthyInterval == null ? null : positive(unhealthyInterval, "unhealthyInterval");
            return this;
        }

        /** By how much each interval is shortened at random, at most: 0 to 100 percent, default 10. */
        public Builder jitter(int percent) {
            if (percent < 0 || percent > 100) {
                throw new IllegalArgumentException("jitter must be from 0 to 100 percent, not " + percent);
            }
            this.jitter = percent;
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

        /** Whether a server can be used before its first verdict; default true. */
        public Builder initiallyUp(boolean initiallyUp) {
            this.initiallyUp = initiallyUp;
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
        return Ticker.bounded(duration);
    }

    static int atLeastOne(int number, String what) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, not " + number);
        }
        return number;
    }
}
