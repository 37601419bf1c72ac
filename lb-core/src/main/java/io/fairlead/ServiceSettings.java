package io.fairlead;

import io.fairlead.retry.HedgePolicy;
import io.fairlead.retry.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the servers of one service are spoken to; adapters read it off the pick.
 *
 * <p>Immutable; equal by value. A time limit of more than 292 years counts as one of 292 years.
 */
public final class ServiceSettings {
    /** Host passed through; 5 s to connect, 30 s to the head of the answer, 90 s idle; no hedging. */
    public static final ServiceSettings DEFAULT = new ServiceSettings(new Values());

    private final Values values;

    private ServiceSettings(Values values) {
        this.values = values;
    }

    private ServiceSettings with(Consumer<Values> change) {
        Values changed = values.copy();
        change.accept(changed);
        return new ServiceSettings(changed);
    }

    /** Whether the server sees the host that the client named (true), or its own. */
    public boolean passHostHeader() {
        return values.passHostHeader;
    }

    /** These settings with another {@link #passHostHeader()}. */
    public ServiceSettings withPassHostHeader(boolean pass) {
        return with(changed -> changed.passHostHeader = pass);
    }

    /** How long connecting may take. Zero: no limit. */
    public Duration dialTimeout() {
        return values.dialTimeout;
    }

    /** How long the head of the answer may take, from the end of the request on. Zero: no limit. */
    public Duration responseHeaderTimeout() {
        return values.responseHeaderTimeout;
    }

    /** How long an unused connection is kept. Zero: no limit. */
    public Duration idleConnTimeout() {
        return values.idleConnTimeout;
    }

    /**
     * These settings with other time limits, none of them negative; zero means no limit.
     *
     * @throws IllegalArgumentException a limit is negative
     */
    public ServiceSettings withTimeouts(Duration dial, Duration responseHeader, Duration idleConn) {
        return with(changed -> {
            changed.dialTimeout = limit(dial);
            changed.responseHeaderTimeout = limit(responseHeader);
            changed.idleConnTimeout = limit(idleConn);
        });
    }

    /** How long nothing may move on a connection that has become a WebSocket, one hour by default. Zero: no limit. */
    public Duration tunnelIdleTimeout() {
        return values.tunnelIdleTimeout;
    }

    /**
     * These settings with another {@link #tunnelIdleTimeout()}.
     *
     * @throws IllegalArgumentException the limit is negative
     */
    public ServiceSettings withTunnelIdleTimeout(Duration timeout) {
        return with(changed -> changed.tunnelIdleTimeout = limit(timeout));
    }

    private static Duration limit(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("a time limit is negative");
        }
        return Ticker.bounded(limit);
    }

    /** When requests are sent again. */
    public RetryPolicy retry() {
        return values.retry;
    }

    /** These settings with another {@link #retry()}. */
    public ServiceSettings withRetry(RetryPolicy policy) {
        return with(changed -> changed.retry = policy);
    }

    /** When copies of slow requests are sent; null: never. */
    public @Nullable HedgePolicy hedge() {
        return values.hedge;
    }

    /** These settings with another {@link #hedge()}. */
    public ServiceSettings withHedge(@Nullable HedgePolicy policy) {
        return with(changed -> changed.hedge = policy);
    }

    /** What is translated in answers. */
    public AnswerRewrite rewrite() {
        return values.rewrite;
    }

    /** These settings with another {@link #rewrite()}. */
    public ServiceSettings withRewrite(AnswerRewrite other) {
        return with(changed -> changed.rewrite = other);
    }

    /** How connections to the servers are made and kept; an adapter may leave that to the application's client. */
    public TransportSettings transport() {
        return values.transport;
    }

    /** These settings with another {@link #transport()}. */
    public ServiceSettings withTransport(TransportSettings other) {
        return with(changed -> changed.transport = other);
    }

    /** How a connection to each server is kept ready; null: not. For clients. */
    public @Nullable ReadyConnections readyConnections() {
        return values.ready;
    }

    /** These settings with other {@link #readyConnections()}. */
    public ServiceSettings withReadyConnections(@Nullable ReadyConnections other) {
        return with(changed -> changed.ready = other);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof ServiceSettings && values.all().equals(((ServiceSettings) other).values.all()));
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    @Override
    public String toString() {
        return "ServiceSettings{passHostHeader=" + values.passHostHeader + ", dialTimeout=" + values.dialTimeout
                + ", responseHeaderTimeout=" + values.responseHeaderTimeout + ", idleConnTimeout="
                + values.idleConnTimeout + ", tunnelIdleTimeout=" + values.tunnelIdleTimeout
                + ", " + values.retry + ", " + (values.hedge == null ? "no hedging" : values.hedge)
                + (values.rewrite.isActive() ? ", " + values.rewrite : "") + ", " + values.transport
                + (values.ready == null ? "" : ", " + values.ready) + "}";
    }

    /** Written only before it is handed to an instance. */
    private static final class Values {
        boolean passHostHeader = true;
        Duration dialTimeout = Duration.ofSeconds(5);
        Duration responseHeaderTimeout = Duration.ofSeconds(30);
        Duration idleConnTimeout = Duration.ofSeconds(90);
        Duration tunnelIdleTimeout = Duration.ofHours(1);
        RetryPolicy retry = RetryPolicy.DEFAULT;

        @Nullable
        HedgePolicy hedge;

        AnswerRewrite rewrite = AnswerRewrite.NONE;
        TransportSettings transport = TransportSettings.DEFAULT;

        @Nullable
        ReadyConnections ready;

        Values copy() {
            Values copy = new Values();
            copy.passHostHeader = passHostHeader;
            copy.dialTimeout = dialTimeout;
            copy.responseHeaderTimeout = responseHeaderTimeout;
            copy.idleConnTimeout = idleConnTimeout;
            copy.tunnelIdleTimeout = tunnelIdleTimeout;
            copy.retry = retry;
            copy.hedge = hedge;
            copy.rewrite = rewrite;
            copy.transport = transport;
            copy.ready = ready;
            return copy;
        }

        List<@Nullable Object> all() {
            return Arrays.asList(
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
    }
}
