package io.fairlead;

import io.fairlead.health.ActiveCheck;
import io.fairlead.health.HealthCheck;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The active checks of one service's servers. Every method is called under the load balancer's lock. */
final class Checks {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancer.class);

    private final String name;
    private final Scheduler scheduler;
    private final Runnable changed;
    private final Map<String, ActiveCheck> checks = new HashMap<>();

    private @Nullable HealthCheck check;

    /**
     * No checks so far.
     *
     * @param changed is run when a server has become usable or has ceased to be
     */
    Checks(String name, Scheduler scheduler, Runnable changed) {
        this.name = name;
        this.scheduler = scheduler;
        this.changed = changed;
    }

    /** Checks in this way from the next {@link #follow} on; null: not at all, and verdicts are forgotten. */
    void checkBy(@Nullable HealthCheck other, Iterable<Node> nodes) {
        if (!Objects.equals(check, other)) {
            close();
        }
        check = other;
        if (other == null) {
            nodes.forEach(node -> node.state.health.forgetChecks());
        }
    }

    /** Begins and ends checks so that each of these servers is checked and no other. */
    void follow(Map<String, Node> nodes) {
        checks.entrySet().removeIf(entry -> {
            Node node = nodes.get(entry.getKey());
            boolean stays = node != null
                    && node.endpoint.uri().equals(entry.getValue().endpoint().uri());
            if (!stays) {
                entry.getValue().close();
            }
            return !stays;
        });
        HealthCheck limits = check;
        if (limits == null) {
            return;
        }
        for (Node node : nodes.values()) {
            if (!checks.containsKey(node.id())) {
                EndpointState state = node.state;
                checks.put(
                        node.id(),
                        ActiveCheck.start(
                                node.endpoint,
                                limits,
                                scheduler,
                                error -> checked(node.endpoint, state, limits, error)));
            }
        }
    }

    void close() {
        checks.values().forEach(ActiveCheck::close);
        checks.clear();
    }

    private void checked(Endpoint endpoint, EndpointState state, HealthCheck limits, @Nullable String error) {
        boolean wasDown = state.health.isDown();
        boolean isChanged;
        if (error == null) {
            isChanged = state.health.checkPassed(limits.rise());
        } else {
            state.lastError = "health check: " + error;
            isChanged = state.health.checkFailed(limits.fall());
        }
        if (!isChanged) {
            return;
        }
        if (wasDown != state.health.isDown()) {
            if (wasDown) {
                log.info("service '{}': server {} passed its health check and is up", name, endpoint.id());
            } else {
                log.warn("service '{}': server {} failed its health check and is down: {}", name, endpoint.id(), error);
            }
        }
        changed.run();
    }
}
