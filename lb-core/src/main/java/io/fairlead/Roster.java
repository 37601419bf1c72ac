package io.fairlead;

import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import java.util.Collections;
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

    private final Picker[] tiers;

    Roster(Map<String, Node> nodes, Picker[] tiers, Map<Integer, Group> groups) {
        this.nodes = nodes;
        this.tiers = tiers;
        this.groups = groups;
    }

    static Roster empty() {
        return new Roster(Collections.emptyMap(), new Picker[0], Collections.emptyMap());
    }

    /** The same endpoints before any picker was built: the next roster's sequences begin anew. */
    Roster withoutSequences() {
        return new Roster(nodes, tiers, Collections.emptyMap());
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
}
