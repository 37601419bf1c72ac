package io.fairlead;

import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.RandomSource;
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
 * made from the first level that has a server which the request has not been sent to. Servers of no weight, fenced ones,
 * and those that a check or an ejection took out are on no level.
 */
final class Roster {
    private static final int LEVELS = 4;

    final Map<String, Node> nodes;
    private final @Nullable Picker[] levels;

    private Roster(Map<String, Node> nodes, @Nullable Picker[] levels) {
        this.nodes = nodes;
        this.levels = levels;
    }

    static Roster empty() {
        return new Roster(Collections.emptyMap(), new @Nullable Picker[LEVELS]);
    }

    /** The roster of these nodes at this moment; sequences go on from this one's. */
    Roster next(Map<String, Node> newNodes, Strategy strategy, Ticker ticker, RandomSource random) {
        List<List<Candidate>> byLevel = new ArrayList<>();
        for (int i = 0; i < LEVELS; i++) {
            byLevel.add(new ArrayList<>());
        }
        for (Node node : newNodes.values()) {
            if (node.weight() > 0 && !node.fenced() && node.state.health.isUsable()) {
                int level = (node.endpoint.backup() ? 1 : 0) + (node.state.health.isBackedOff() ? 2 : 0);
                byLevel.get(level).add(node);
            }
        }
        @Nullable Picker[] pickers = new @Nullable Picker[LEVELS];
        for (int i = 0; i < LEVELS; i++) {
            List<Candidate> candidates = byLevel.get(i);
            if (!candidates.isEmpty()) {
                pickers[i] = strategy.picker(new PickerContext(candidates, levels[i], ticker, random));
            }
        }
        return new Roster(newNodes, pickers);
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
