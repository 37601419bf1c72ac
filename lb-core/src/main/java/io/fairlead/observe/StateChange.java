package io.fairlead.observe;

import io.fairlead.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One change of the state of a service, or of a server of it.
 *
 * <p>Immutable.
 */
public final class StateChange {
    /** What has changed. */
    public enum Kind {
        /** A server can be picked again. */
        SERVICE_UP,
        /** No server can be picked any more. */
        SERVICE_DOWN,
        /** A server's active check passed, and the check does not keep it out any more. */
        ENDPOINT_UP,
        /** A server's active check has taken it out. */
        ENDPOINT_DOWN,
        /** A server was ejected for its failures. */
        ENDPOINT_EJECTED,
        /** A server's ejection is over. */
        ENDPOINT_RETURNED,
        /** A server is draining: it gets no new request. */
        ENDPOINT_FENCED,
        /** A server is draining no more. */
        ENDPOINT_UNFENCED,
        /** A server's circuit breaker opened: it gets no request. */
        BREAKER_OPEN,
        /** A server's circuit breaker lets a counted number of requests through. */
        BREAKER_HALF_OPEN,
        /** A server's circuit breaker closed: it gets requests as any other. */
        BREAKER_CLOSED
    }

    private final Kind kind;
    private final String service;
    private final @Nullable Endpoint endpoint;
    private final @Nullable String reason;

    private StateChange(Kind kind, String service, @Nullable Endpoint endpoint, @Nullable String reason) {
        this.kind = kind;
        this.service = service;
        this.endpoint = endpoint;
        this.reason = reason;
    }

    /** A service came up or went down. */
    public static StateChange ofService(String service, boolean up) {
        return new StateChange(up ? Kind.SERVICE_UP : Kind.SERVICE_DOWN, service, null, null);
    }

    /**
     * A server's state changed.
     *
     * @param reason why, in words; null: there is nothing to add
     */
    public static StateChange ofEndpoint(Kind kind, String service, Endpoint endpoint, @Nullable String reason) {
        return new StateChange(kind, service, endpoint, reason);
    }

    /** What has changed. */
    public Kind kind() {
        return kind;
    }

    /** The service's name. */
    public String service() {
        return service;
    }

    /** The server, as it is configured; null where the service as a whole is meant. */
    public @Nullable Endpoint endpoint() {
        return endpoint;
    }

    /** Why, in words; null where there is nothing to add. */
    public @Nullable String reason() {
        return reason;
    }

    @Override
    public String toString() {
        return service + (endpoint == null ? "" : " " + endpoint.id()) + " " + kind
                + (reason == null ? "" : " (" + reason + ")");
    }
}
