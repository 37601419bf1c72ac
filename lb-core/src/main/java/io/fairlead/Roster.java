package io.fairlead;

import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.RandomSource;
import io.fairlead.strategy.RecentFailures;
import io.fairlead.strategy.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One immutable view of a service: its endpoints with their states, and a picker for each level of preference. Every
 * change makes a new one.
 *
 * <p>The levels, best first: servers; backups; servers whose connections failed just now; backups likewise. A pick is
 * made from the first level that has a server which the request has not been sent to. Servers that are ejected are used
 * only when all these levels are empty, so that an ejection alone never takes the last server away. Servers of no weight,
 * fenced ones, and those that a check took out are on no level.
 */
final class Roster {
    private static final int EJECTED = 4;
    private static final int LEVELS = 5;

    final Map<String, Node> nodes;
    private final @Nullable Picker[] levels;
    /** The newest picker of each level, also while the level is empty: the sequence goes on from it. */
    private final @Nullable Picker[] last;

    private Roster(Map<String, Node> nodes, @Nullable Picker[] levels, @Nullable Picker[] last) {
        this.nodes = nodes;
        this.levels = levels;
        this.last = last;
    }

    static Roster empty() {
        return new Roster(Collections.emptyMap(), new @Nullable Picker[LEVELS], new @Nullable Picker[LEVELS]);
    }

    /** The same endpoints before any picker was built: the next roster's sequences begin anew. */
    Roster withoutSequences() {
        return new Roster(nodes, levels, new @Nullable Picker[LEVELS]);
    }

    /** The roster of these nodes at this moment; sequences go on from this one's. */
    Roster next(
            Map<String, Node> newNodes,
            Strategy strategy,
            Ticker ticker,
            RandomSource random,
            RecentFailures failures) {
        List<List<Candidate>> byLevel = new ArrayList<>();
        for (int i = 0; i < LEVELS; i++) {
            byLevel.add(new ArrayList<>());
        }
        for (Node node : newNodes.values()) {
            if (node.weight() > 0 && !node.fenced() && !node.state.health.isDown()) {
                byLevel.get(level(node)).add(node);
            }
        }
        @Nullable Picker[] pickers = new @Nullable Picker[LEVELS];
        @Nullable Picker[] newest = last.clone();
        boolean preferred = false;
        for (int i = 0; i < LEVELS; i++) {
            List<Candidate> candidates = byLevel.get(i);
            if (!candidates.isEmpty() && !(i == EJECTED && preferred)) {
                pickers[i] = strategy.picker(new PickerContext(candidates, last[i], ticker, random, failures));
                newest[i] = pickers[i];
                preferred = true;
            }
        }
        return new Roster(newNodes, pickers, newest);
    }

    private static int level(Node node) {
        if (node.state.health.isEjected()) {
            return EJECTED;
        }
        return (node.endpoint.backup() ? 1 : 0) + (node.state.health.isBackedOff() ? 2 : 0);
    }

    @Nullable
    Node pick(RequestFacts request, Tried tried) {
        for (Picker picker : levels) {
            if (picker != null) {
                Candidate candidate = picker.pick(request, tried);
                if (candidate != null) {
                    return (Node) candidate;
                }
            }
        }
        return null;
    }

    boolean isUp() {
        for (Picker picker : levels) {
            if (picker != null) {
                return true;
            }
        }
        return false;
    }
}
