package io.fairlead.observe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one service at one moment.
 *
 * <p>Immutable.
 */
public final class ServiceSnapshot {
    private final String name;
    private final String strategy;
    private final boolean up;
    private final List<EndpointSnapshot> endpoints;

    /** Makes a snapshot; see the methods for the meaning of each part. */
    public ServiceSnapshot(String name, String strategy, boolean up, List<EndpointSnapshot> endpoints) {
        this.name = name;
        this.strategy = strategy;
        this.up = up;
        this.endpoints = Collections.unmodifiableList(new ArrayList<>(endpoints));
    }

    /** The service's name. */
    public String name() {
        return name;
    }

    /** The strategy's name; {@code failover}, {@code weighted} or {@code mirroring} for services made of services. */
    public String strategy() {
        return strategy;
    }

    /** Whether a server could be picked. */
    public boolean up() {
        return up;
    }

    /** The servers in the order of the list; unmodifiable. */
    public List<EndpointSnapshot> endpoints() {
        return endpoints;
    }

    /** Requests under way to all of its servers. */
    public int inFlight() {
        int sum = 0;
        for (EndpointSnapshot endpoint : endpoints) {
            sum += endpoint.inFlight();
        }
        return sum;
    }

    /** How many requests its servers were picked for, those that have left the list not counted. */
    public long picks() {
        long sum = 0;
        for (EndpointSnapshot endpoint : endpoints) {
            sum += endpoint.picks();
        }
        return sum;
    }

    /** How many requests counted against its servers, those that have left the list not counted. */
    public long failures() {
        long sum = 0;
        for (EndpointSnapshot endpoint : endpoints) {
            sum += endpoint.failures();
        }
        return sum;
    }

    /** The server with this id, or null. */
    public @Nullable EndpointSnapshot endpoint(String id) {
        for (EndpointSnapshot endpoint : endpoints) {
            if (endpoint.id().equals(id)) {
                return endpoint;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return name + " (" + strategy + (up ? ", up) " : ", down) ") + endpoints;
    }
}
