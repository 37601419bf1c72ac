package io.fairlead;

import io.fairlead.tls.ClientTls;
import java.time.Duration;
import java.util.Objects;

/**
 * How connections to the servers of a service are made and kept, beside their time limits: {@code
 * http.serversTransports} of the configuration file.
 *
 * <p>Immutable; equal by value.
 */
public final class TransportSettings {
    /** Java's own trust, HTTP/2 where the server offers it, as many idle connections as there are, no pings. */
    public static final TransportSettings DEFAULT = new TransportSettings(new Builder());

    private final ClientTls tls;
    private final boolean http2;
    private final int maxIdleConnsPerHost;
    private final Duration readIdleTimeout;
    private final Duration pingTimeout;

    private TransportSettings(Builder builder) {
        tls = builder.tls;
        http2 = builder.http2;
        maxIdleConnsPerHost = builder.maxIdleConnsPerHost;
        readIdleTimeout = builder.readIdleTimeout;
        pingTimeout = builder.pingTimeout;
    }

    /** Begins with {@link #DEFAULT}. */
    public static Builder builder() {
        return new Builder();
    }

    /** How TLS is spoken. */
    public ClientTls tls() {
        return tls;
    }

    /** Whether HTTP/2 is offered to servers over TLS (ALPN); of those whose URL says {@code h2c} it is expected. */
    public boolean http2() {
        return http2;
    }

    /**
     * How many unused connections are kept for one server; 0: all of them, as long as they may be idle; negative: none,
     * each request has its own.
     */
    public int maxIdleConnsPerHost() {
        return maxIdleConnsPerHost;
    }

    /** After so long without a frame an HTTP/2 connection is pinged; zero: never. */
    public Duration readIdleTimeout() {
        return readIdleTimeout;
    }

    /** A ping that is not answered for so long ends its connection, and every request on it. More than zero. */
    public Duration pingTimeout() {
        return pingTimeout;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof TransportSettings)) {
            return false;
        }
        TransportSettings that = (TransportSettings) other;
        return tls.equals(that.tls)
                && http2 == that.http2
                && maxIdleConnsPerHost == that.maxIdleConnsPerHost
                && readIdleTimeout.equals(that.readIdleTimeout)
                && pingTimeout.equals(that.pingTimeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(tls, http2, maxIdleConnsPerHost, readIdleTimeout, pingTimeout);
    }

    @Override
    public String toString() {
        return "TransportSettings{" + tls + (http2 ? "" : ", no HTTP/2") + ", maxIdleConnsPerHost="
                + maxIdleConnsPerHost + ", readIdleTimeout=" + readIdleTimeout + ", pingTimeout=" + pingTimeout + "}";
    }

    /** Builds them; not safe for use from several threads. */
    public static final class Builder {
        private ClientTls tls = ClientTls.DEFAULT;
        private boolean http2 = true;
        private int maxIdleConnsPerHost;
        private Duration readIdleTimeout = Duration.ZERO;
        private Duration pingTimeout = Duration.ofSeconds(15);

        private Builder() {}

        /** How TLS is spoken; {@link ClientTls#DEFAULT} where it is not said. */
        public Builder tls(ClientTls settings) {
            tls = settings;
            return this;
        }

        /** Whether HTTP/2 is offered over TLS; true where it is not said. */
        public Builder http2(boolean offer) {
            http2 = offer;
            return this;
        }

        /** How many unused connections are kept; 0, all of them, where it is not said. */
        public Builder maxIdleConnsPerHost(int max) {
            maxIdleConnsPerHost = max;
            return this;
        }

        /**
         * When HTTP/2 connections are pinged; zero, never, where it is not said.
         *
         * @throws IllegalArgumentException it is negative
         */
        public Builder readIdleTimeout(Duration timeout) {
            if (timeout.isNegative()) {
                throw new IllegalArgumentException("a time limit is negative");
            }
            readIdleTimeout = Ticker.bounded(timeout);
            return this;
        }

        /**
         * How long a ping may take; 15 s where it is not said.
         *
         * @throws IllegalArgumentException it is not more than zero
         */
        public Builder pingTimeout(Duration timeout) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("must be more than zero");
            }
            pingTimeout = Ticker.bounded(timeout);
            return this;
        }

        /** The settings. */
        public TransportSettings build() {
            return new TransportSettings(this);
        }
    }
}
