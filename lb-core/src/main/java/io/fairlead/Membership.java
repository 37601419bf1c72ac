package io.fairlead;

import io.fairlead.health.HealthCheck;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which servers a service has, and which of them are fenced. What is known of a server is kept by its id, while the id
 * names the same machine; a list that is refused changes nothing.
 *
 * <p>The methods that take no lock themselves are called with that of the {@link CurrentRoster} held.
 */
final class Membership {
    private final String service;
    private final CurrentRoster roster;
    private final Picking picking;
    private final Checks checks;

    /** No servers so far. */
    Membership(String service, CurrentRoster roster, Picking picking, Checks checks) {
        this.service = service;
        this.roster = roster;
        this.picking = picking;
        this.checks = checks;
    }

    void add(Endpoint endpoint) {
        synchronized (roster.lock) {
            List<Endpoint> endpoints = endpoints();
            endpoints.replaceAll(old -> old.id().equals(endpoint.id()) ? endpoint : old);
            if (!roster.get().nodes.containsKey(endpoint.id())) {
                endpoints.add(endpoint);
            }
            replaceAndCheck(endpoints);
        }
        roster.tell();
    }

    /** False: there is no server of that id. */
    boolean remove(String id) {
        boolean found;
        synchronized (roster.lock) {
            List<Endpoint> endpoints = endpoints();
            found = endpoints.removeIf(endpoint -> endpoint.id().equals(id));
            if (found) {
                replaceAndCheck(endpoints);
            }
        }
        roster.tell();
        return found;
    }

    void update(Collection<Endpoint> endpoints) {
        synchronized (roster.lock) {
            replaceAndCheck(endpoints);
        }
        roster.tell();
    }

    /** False: there is no server of that id. */
    boolean fence(String id, boolean fenced) {
        synchronized (roster.lock) {
            Node node = roster.get().nodes.get(id);
            if (node == null) {
                return false;
            }
            if (node.fenced() != fenced) {
                Boolean before = node.state.fence;
                node.state.fence = fenced;
                try {
                    roster.rebuild(roster.get().nodes, roster.balancing());
                } catch (RuntimeException e) {
                    node.state.fence = before;
                    throw e;
                }
            }
        }
        roster.tell();
        return true;
    }

    private List<Endpoint> endpoints() {
        List<Endpoint> endpoints = new ArrayList<>();
        for (Node node : roster.get().nodes.values()) {
            endpoints.add(node.endpoint);
        }
        return endpoints;
    }

    private void replaceAndCheck(Collection<Endpoint> endpoints) {
        replace(endpoints, checks.by(), roster.balancing());
        followChecks();
    }

    /** Begins and ends checks so that each server is checked and no other. */
    void followChecks() {
        if (!roster.isClosed()) {
            checks.follow(roster.get().nodes);
        }
    }

    /**
     * Replaces the list.
     *
     * @param check how new servers are going to be checked
     * @param by how servers are picked from now on
     * @throws IllegalArgumentException two endpoints have the same id
     */
    void replace(Collection<Endpoint> endpoints, @Nullable HealthCheck check, Balancing by) {
        Map<String, Node> old = roster.get().nodes;
        Map<EndpointState, Boolean> fences = new HashMap<>();
        Map<String, Node> nodes;
        try {
            nodes = nodes(endpoints, by, fences);
            Checks.expect(nodes.values(), check);
            roster.rebuild(nodes, by);
        } catch (RuntimeException e) {
            // Nothing has changed, so a server that drains goes on doing so.
            fences.forEach((state, fence) -> state.fence = fence);
            throw e;
        }
        picking.keepOn(nodes.keySet());
        for (Node node : old.values()) {
            Node successor = nodes.get(node.id());
            if (successor == null || successor.state != node.state) {
                node.state.remove();
            }
        }
    }

    private Map<String, Node> nodes(Collection<Endpoint> endpoints, Balancing by, Map<EndpointState, Boolean> fences) {
        Map<String, Node> old = roster.get().nodes;
        Map<String, Node> nodes = new LinkedHashMap<>();
        for (Endpoint endpoint : endpoints) {
            Node node = new Node(endpoint, state(endpoint, old.get(endpoint.id()), fences), by.averaging);
            if (old.isEmpty()) {
                // With the first list all servers would warm up alike.
                node.state.warmUp.skip();
            }
            if (nodes.put(endpoint.id(), node) != null) {
                throw new IllegalArgumentException(
                        "service '" + service + "' has two servers with the id '" + endpoint.id() + "'");
            }
        }
        return nodes;
    }

    /**
     * What is known of the endpoint: nothing where its id is new, or names another machine than before.
     *
     * @param fences takes those that are lifted
     */
    private EndpointState state(Endpoint endpoint, @Nullable Node known, Map<EndpointState, Boolean> fences) {
        if (known == null) {
            return newState();
        }
        Endpoint before = known.endpoint;
        EndpointState state = known.state;
        if (!before.host().equals(endpoint.host())
                || before.port() != endpoint.port()
                || before.isSecure() != endpoint.isSecure()) {
            state = newState();
            state.fence = known.state.fence;
        }
        if (before.fenced() != endpoint.fenced()) {
            // The newest word counts, whether it was the configuration's or that of a call.
            Boolean fence = state.fence;
            if (fence != null) {
                fences.put(state, fence);
            }
            state.fence = null;
        }
        return state;
    }

    private EndpointState newState() {
        EndpointState state = new EndpointState(roster.recentFailures);
        picking.guard(state);
        return state;
    }
}
