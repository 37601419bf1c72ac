package io.fairlead;

import io.fairlead.strategy.Picker;
import java.util.List;

/**
 * Servers that are picked from together, with their picker.
 *
 * <p>Immutable.
 */
final class Group {
    final Picker picker;
    private final List<Node> nodes;
    private final int scale;

    Group(List<Node> nodes, int scale, Picker picker) {
        this.nodes = nodes;
        this.scale = scale;
        this.picker = picker;
    }

    List<Node> nodes() {
        return nodes;
    }

    /** Whether its picker does for these servers, with weights in units of this scale. */
    boolean isOf(List<Node> others, int otherScale) {
        if (scale != otherScale || nodes.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < nodes.size(); i++) {
            if (!nodes.get(i).isLike(others.get(i))) {
                return false;
            }
        }
        return true;
    }
}
