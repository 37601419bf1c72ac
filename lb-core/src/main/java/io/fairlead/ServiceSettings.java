package io.fairlead;

import java.time.Duration;
import java.util.Objects;

/**
 * How the servers of one service are spoken to; adapters read it off the pick.
 *
 * <p>Immutable; equal by value.
 */
public final class ServiceSettings {
    /** Host passed through; 5 s to connect, 30 s to the head of the answer, 90 s idle. */
    public static final ServiceSettings DEFAULT =
            new ServiceSettings(true, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(90));

    private final boolean passHostHeader;
    private final Duration dialTimeout;
    private final Duration responseHeaderTimeout;
    private final Duration idleConnTimeout;

    private ServiceSettings(
            boolean passHostHeader, Duration dialTimeout, Duration responseHeaderTimeout, Duration idleConnTimeout) {
        this.passHostHeader = passHostHeader;
        this.dialTimeout = dialTimeout;
        this.responseHeaderTimeout = responseHeaderTimeout;
        this.idleConnTimeout = idleConnTimeout;
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

    /** These settings with another {@link #passHostHeader()}. */
    public ServiceSettings withPassHostHeader(boolean pass) {
        return new ServiceSettings(pass, dialTimeout, responseHeaderTimeout, idleConnTimeout);
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
        return new ServiceSettings(passHostHeader, dial, responseHeader, idleConn);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ServiceSettings)) {
            return false;
        }
        ServiceSettings that = (ServiceSettings) other;
        return passHostHeader == that.passHostHeader
                && dialTimeout.equals(that.dialTimeout)
                && responseHeaderTimeout.equals(that.responseHeaderTimeout)
                && idleConnTimeout.equals(that.idleConnTimeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(passHostHeader, dialTimeout, responseHeaderTimeout, idleConnTimeout);
    }

    @Override
    public String toString() {
        return "ServiceSettings{passHostHeader=" + passHostHeader + ", dialTimeout=" + dialTimeout
                + ", responseHeaderTimeout=" + responseHeaderTimeout + ", idleConnTimeout=" + idleConnTimeout + "}";
    }
}
