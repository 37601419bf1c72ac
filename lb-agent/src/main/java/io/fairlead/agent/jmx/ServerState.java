package io.fairlead.agent.jmx;

import io.fairlead.observe.EndpointSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * One server at one moment, as JMX shows it.
 *
 * <p>Immutable.
 */
public final class ServerState {
    private final EndpointSnapshot server;

    ServerState(EndpointSnapshot server) {
        this.server = server;
    }

    /** What the server is called, by default its host and port. */
    public String getId() {
        return server.id();
    }

    /** Its URL. */
    public String getUrl() {
        return server.endpoint().uri().toString();
    }

    /** Its weight, as configured. */
    public int getWeight() {
        return server.endpoint().weight();
    }

    /** Where it stands; null: the file does not say. */
    public @Nullable String getZone() {
        return server.endpoint().zone();
    }

    /** Whether its health lets it be picked. */
    public boolean isUp() {
        return server.up();
    }

    /** Whether it is draining. */
    public boolean isFenced() {
        return server.fenced();
    }

    /** Whether it is used only while no other can be. */
    public boolean isBackup() {
        return server.endpoint().backup();
    }

    /** Whether it is ejected for its failures. */
    public boolean isEjected() {
        return server.ejected();
    }

    /** Requests under way. */
    public int getInFlight() {
        return server.inFlight();
    }

    /** How many requests it was picked for. */
    public long getPicks() {
        return server.picks();
    }

    /** How many requests counted against it. */
    public long getFailures() {
        return server.failures();
    }

    /** What its last failure was; null: there was none. */
    public @Nullable String getLastError() {
        return server.lastError();
    }
}
