package io.fairlead;

import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One immutable view of a service: its endpoints with their states, and a picker for each tier of preference. Every
 * change makes a new one; {@link RosterBuilder} says what the tiers are.
 *
 * <p>A pick is made from the first tier that has a server which the request has not been sent to.
 */
final class Roster {
    final Map<String, Node> nodes;
    /** The groups of servers as they last were, those that are empty now included: their sequences go on. */
    final Map<Integer, Group> groups;

    final WarmWeights weights;

    private final Picker[] tiers;
    /** The groups that these pick from, in their order. */
    private final List<Group> inUse;

    Roster(
            Map<String, Node> nodes,
            WarmWeights weights,
            Picker[] tiers,
            List<Group> inUse,
            Map<Integer, Group> groups) {
        this.nodes = nodes;
        this.weights = weights;
        this.tiers = tiers;
        this.inUse = inUse;
        this.groups = groups;
    }

    static Roster empty() {
        return new Roster(
                Collections.emptyMap(),
                WarmWeights.FULL,
                new Picker[0],
                Collections.emptyList(),
                Collections.emptyMap());
    }

    /** The same endpoints before any picker was built: the next roster's sequences begin anew. */
    Roster withoutSequences() {
        return new Roster(nodes, weights, tiers, inUse, Collections.emptyMap());
    }

    /**
     * Of the servers that have room, one of the first group that has any, and of these the one with the fewest requests
     * for its weight, whatever the strategy; null when none has. Looks at every server.
     *
     * @param most requests in flight at most
     */
    @Nullable
    Node roomiest(Tried tried, int most) {
        for (Group group : inUse) {
            Node best = null;
            for (Node node : group.nodes()) {
                if ((best == null || isRoomier(node, best)) && node.state.admits(most) && !tried.contains(node.id())) {
                    best = node;
                }
            }
            if (best != null) {
                return best;
            }
        }
        return null;
    }

    private static boolean isRoomier(Node node, Node other) {
        return (long) node.inFlight() * other.weight() < (long) other.inFlight() * node.weight();
    }

    @Nullable
    Node pick(RequestFacts request, Tried tried) {
        for (Picker picker : tiers) {
            Candidate candidate = picker.pick(request, tried);
            if (candidate != null) {
                return (Node) candidate;
            }
        }
        return null;
    }

    boolean isUp() {
        return tiers.length > 0;
    }

    /** See {@link LoadBalancer#nanosToNextServer}. */
    long nanosToNextServer(long now) {
        long soonest = -1;
        for (Node node : nodes.values()) {
            boolean mayReturn = node.isCounted() && !node.isFenced() && !node.state.health.isDown();
            long out = mayReturn ? node.state.health.nanosOut(now) : -1;
            if (out >= 0 && (soonest < 0 || out < soonest)) {
                soonest = out;
            }
        }
        return soonest;
    }
}
