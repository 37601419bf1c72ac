package io.fairlead;

import io.fairlead.health.ActiveCheck;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.Verdict;
import io.fairlead.strategy.RandomSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The active checks of one service's servers. Every method is called under the load balancer's lock. */
final class Checks {
    private final Scheduler scheduler;
    private final RandomSource random;
    private final Runnable changed;
    private final Map<String, ActiveCheck> checks = new HashMap<>();

    private @Nullable HealthCheck check;

    /**
     * No checks so far.
     *
     * @param changed is run when a server has become usable or has ceased to be
     */
    Checks(Scheduler scheduler, RandomSource random, Runnable changed) {
        this.scheduler = scheduler;
        this.random = random;
        this.changed = changed;
    }

    /** How servers are checked; null: not at all. */
    @Nullable
    HealthCheck by() {
        return check;
    }

    /** Before these servers can be picked: those that are new wait for their first verdict if the check says so. */
    static void expect(Iterable<Node> nodes, @Nullable HealthCheck check) {
        if (check == null || check.initiallyUp()) {
            return;
        }
        for (Node node : nodes) {
            if (node.state.told == StateDiff.NOTHING) {
                node.state.health.awaitVerdict(false);
            }
        }
    }

    /** Checks in this way from the next {@link #follow} on; null: not at all, and verdicts are forgotten. */
    void checkBy(@Nullable HealthCheck other, Iterable<Node> nodes) {
        if (!Objects.equals(check, other)) {
            close();
        }
        check = other;
        if (other == null) {
            for (Node node : nodes) {
                node.state.health.forgetChecks();
                node.state.checkError = null;
            }
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
                state.health.awaitVerdict(true);
                checks.put(
                        node.id(),
                        ActiveCheck.start(
                                node.endpoint,
                                limits,
                                scheduler,
                                random,
                                state.health,
                                verdict -> checked(state, limits, verdict)));
            }
        }
    }

    void close() {
        checks.values().forEach(ActiveCheck::close);
        checks.clear();
    }

    private void checked(EndpointState state, HealthCheck limits, Verdict verdict) {
        String error = verdict.error();
        state.checkError = error;
        boolean isChanged;
        if (error == null) {
            isChanged = state.health.checkPassed(limits.rise());
        } else {
            state.lastError = "health check: " + error;
            isChanged = state.health.checkFailed(limits.fall());
        }
        if (isChanged) {
            changed.run();
        }
    }
}
