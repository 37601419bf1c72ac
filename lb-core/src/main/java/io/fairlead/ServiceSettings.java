package io.fairlead;

import io.fairlead.retry.HedgePolicy;
import io.fairlead.retry.RetryPolicy;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the servers of one service are spoken to; adapters read it off the pick.
 *
 * <p>Immutable; equal by value.
 */
public final class ServiceSettings {
    /** Host passed through; 5 s to connect, 30 s to the head of the answer, 90 s idle; no hedging. */
    public static final ServiceSettings DEFAULT = new ServiceSettings(
            true,
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(90),
            Duration.ofHours(1),
            RetryPolicy.DEFAULT,
            null,
            AnswerRewrite.NONE,
            TransportSettings.DEFAULT,
            null);

    private final boolean passHostHeader;
    private final Duration dialTimeout;
    private final Duration responseHeaderTimeout;
    private final Duration idleConnTimeout;
    private final Duration tunnelIdleTimeout;
    private final RetryPolicy retry;
    private final @Nullable HedgePolicy hedge;
    private final AnswerRewrite rewrite;
    private final TransportSettings transport;
    private final @Nullable ReadyConnections ready;

    private ServiceSettings(
            boolean passHostHeader,
            Duration dialTimeout,
            Duration responseHeaderTimeout,
            Duration idleConnTimeout,
            Duration tunnelIdleTimeout,
            RetryPolicy retry,
            @Nullable HedgePolicy hedge,
            AnswerRewrite rewrite,
            TransportSettings transport,
            @Nullable ReadyConnections ready) {
        this.passHostHeader = passHostHeader;
        this.dialTimeout = dialTimeout;
        this.responseHeaderTimeout = responseHeaderTimeout;
        this.idleConnTimeout = idleConnTimeout;
        this.tunnelIdleTimeout = tunnelIdleTimeout;
        this.retry = retry;
        this.hedge = hedge;
        this.rewrite = rewrite;
        this.transport = transport;
        this.ready = ready;
    }

    /** Whether the server sees the host that the client named (true), or its own. */
    public boolean passHostHeader() {
        return passHostHeader;
    }

    /** How long connecting may take. Zero: no limit. */
    public Duration dialTimeout() {
        return dialTimeout;
    }

    /** How long the head of the answer may take, from the end of the request on. Zero: no limit. */
    public Duration responseHeaderTimeout() {
        return responseHeaderTimeout;
    }

    /** How long an unused connection is kept. Zero: no limit. */
    public Duration idleConnTimeout() {
        return idleConnTimeout;
    }

    /** How long nothing may move on a connection that has become a WebSocket, one hour by default. Zero: no limit. */
    public Duration tunnelIdleTimeout() {
        return tunnelIdleTimeout;
    }

    /** When requests are sent again. */
    public RetryPolicy retry() {
        return retry;
    }

    /** When copies of slow requests are sent; null: never. */
    public @Nullable HedgePolicy hedge() {
        return hedge;
    }

    /** How connections to the servers are made and kept; an adapter may leave that to the application's client. */
    public TransportSettings transport() {
        return transport;
    }

    /** These settings with another {@link #transport()}. */
    public ServiceSettings withTransport(TransportSettings other) {
        return new ServiceSettings(
                passHostHeader,
                dialTimeout,
                responseHeaderTimeout,
                idleConnTimeout,
                tunnelIdleTimeout,
                retry,
                hedge,
                rewrite,
                other,
                ready);
    }

    /** What is translated in answers. */
    public AnswerRewrite rewrite() {
        return rewrite;
    }

    /** These settings with another {@link #passHostHeader()}. */
    public ServiceSettings withPassHostHeader(boolean pass) {
        return new ServiceSettings(
                pass,
                dialTimeout,
                responseHeaderTimeout,
                idleConnTimeout,
                tunnelIdleTimeout,
                retry,
                hedge,
                rewrite,
                transport,
                ready);
    }

    /** These settings with another {@link #retry()}. */
    public ServiceSettings withRetry(RetryPolicy policy) {
        return new ServiceSettings(
                passHostHeader,
                dialTimeout,
                responseHeaderTimeout,
                idleConnTimeout,
                tunnelIdleTimeout,
                policy,
                hedge,
                rewrite,
                transport,
                ready);
    }

    /** How a connection to each server is kept ready; null: not. For clients. */
    public @Nullable ReadyConnections readyConnections() {
        return ready;
    }

    /** These settings with other {@link #readyConnections()}. */
    public ServiceSettings withReadyConnections(@Nullable ReadyConnections other) {
        return new ServiceSettings(
                passHostHeader,
                dialTimeout,
                responseHeaderTimeout,
                idleConnTimeout,
                tunnelIdleTimeout,
                retry,
                hedge,
                rewrite,
                transport,
                other);
    }

    /** These settings with another {@link #hedge()}. */
    public ServiceSettings withHedge(@Nullable HedgePolicy policy) {
        return new ServiceSettings(
                passHostHeader,
                dialTimeout,
                responseHeaderTimeout,
                idleConnTimeout,
                tunnelIdleTimeout,
                retry,
                policy,
                rewrite,
                transport,
                ready);
    }

    /** These settings with another {@link #rewrite()}. */
    public ServiceSettings withRewrite(AnswerRewrite other) {
        return new ServiceSettings(
                passHostHeader,
                dialTimeout,
                responseHeaderTimeout,
                idleConnTimeout,
                tunnelIdleTimeout,
                retry,
                hedge,
                other,
                transport,
                ready);
    }

    /**
     * These settings with other time limits, none of them negative; zero means no limit.
     *
     * @throws IllegalArgumentException a limit is negative
     */
    public ServiceSettings withTimeouts(Duration dial, Duration responseHeader, Duration idleConn) {
        if (dial.isNegative() || responseHeader.isNegative() || idleConn.isNegative()) {
            throw new IllegalArgumentException("a time limit is negative");
        }
        return new ServiceSettings(
                passHostHeader,
                dial,
                responseHeader,
                idleConn,
                tunnelIdleTimeout,
                retry,
                hedge,
                rewrite,
                transport,
                ready);
    }

    /**
     * These settings with another {@link #tunnelIdleTimeout()}.
     *
     * @throws IllegalArgumentException the limit is negative
     */
    public ServiceSettings withTunnelIdleTimeout(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("a time limit is negative");
        }
        return new ServiceSettings(
                passHostHeader,
                dialTimeout,
                responseHeaderTimeout,
                idleConnTimeout,
                limit,
                retry,
                hedge,
                rewrite,
                transport,
                ready);
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof ServiceSettings)) {
            return false;
        }
        ServiceSettings that = (ServiceSettings) other;
        return passHostHeader == that.passHostHeader
                && dialTimeout.equals(that.dialTimeout)
                && responseHeaderTimeout.equals(that.responseHeaderTimeout)
                && idleConnTimeout.equals(that.idleConnTimeout)
                && tunnelIdleTimeout.equals(that.tunnelIdleTimeout)
                && retry.equals(that.retry)
                && Objects.equals(hedge, that.hedge)
                && Objects.equals(ready, that.ready)
                && rewrite.equals(that.rewrite)
                && transport.equals(that.transport);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                passHostHeader,
                dialTimeout,
                responseHeaderTimeout,
                idleConnTimeout,
                tunnelIdleTimeout,
                retry,
                hedge,
                rewrite,
                transport,
                ready);
    }

    @Override
    public String toString() {
        return "ServiceSettings{passHostHeader=" + passHostHeader + ", dialTimeout=" + dialTimeout
                + ", responseHeaderTimeout=" + responseHeaderTimeout + ", idleConnTimeout=" + idleConnTimeout
                + ", tunnelIdleTimeout=" + tunnelIdleTimeout
                + ", " + retry + ", " + (hedge == null ? "no hedging" : hedge)
                + (rewrite.isActive() ? ", " + rewrite : "") + ", " + transport
                + (ready == null ? "" : ", " + ready) + "}";
    }
}
