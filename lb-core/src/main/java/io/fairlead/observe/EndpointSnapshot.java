package io.fairlead.observe;

import io.fairlead.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * The state of one server at one moment.
 *
 * <p>Immutable.
 */
public final class EndpointSnapshot {
    private final Endpoint endpoint;
    private final boolean up;
    private final boolean fenced;
    private final boolean ejected;
    private final int inFlight;
    private final long picks;
    private final long failures;
    private final @Nullable String lastError;

    /** Makes a snapshot; see the methods for the meaning of each part. */
    public EndpointSnapshot(
            Endpoint endpoint,
            boolean up,
            boolean fenced,
            boolean ejected,
            int inFlight,
            long picks,
            long failures,
            @Nullable String lastError) {
        this.endpoint = endpoint;
        this.up = up;
        this.fenced = fenced;
        this.ejected = ejected;
        this.inFlight = inFlight;
        this.picks = picks;
        this.failures = failures;
        this.lastError = lastError;
    }

    /** The server, as it was configured. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** The server's id. */
    public String id() {
        return endpoint.id();
    }

    /** Whether its health lets it be picked: its active check has not failed, and it is not ejected. */
    public boolean up() {
        return up;
    }

    /** Whether it is draining, by configuration or at run time. */
    public boolean fenced() {
        return fenced;
    }

    /** Whether it is ejected for its failures. */
    public boolean ejected() {
        return ejected;
    }

    /** Requests under way. */
    public int inFlight() {
        return inFlight;
    }

    /** How many requests it was picked for, since its id came into the list. */
    public long picks() {
        return picks;
    }

    /** How many requests counted against it. */
    public long failures() {
        return failures;
    }

    /** What the last failure of a request or a check was; null where there was none. */
    public @Nullable String lastError() {
        return lastError;
    }

    @Override
    public String toString() {
        return endpoint + (up ? " up" : " down") + (fenced ? " fenced" : "") + (ejected ? " ejected" : "")
                + " inFlight=" + inFlight + " picks=" + picks + " failures=" + failures;
    }
}
