package io.fairlead;

import io.fairlead.health.SlowStart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The weights of one moment, at which some servers may be warming up. A part of a small weight is no whole number, so a
 * list with such a server has all its weights in finer units.
 *
 * <p>Safe for use from any thread.
 */
final class WarmWeights {
    /** Units in the least weight of a list: enough to tell one percent. */
    private static final int FINEST = 100;
    /** Units in all weights together: sequences and tables grow with them. */
    private static final int MAX_UNITS = 1 << 17;

    /** Every weight is full. */
    static final WarmWeights FULL = new WarmWeights(null, 0);

    private final @Nullable SlowStart slowStart;
    private final long now;

    /** The weights at this moment; null: all full. */
    WarmWeights(@Nullable SlowStart slowStart, long now) {
        this.slowStart = slowStart;
        this.now = now;
    }

    /** How many units a unit of configured weight has in this list: 1 where no server of it warms up. */
    int scale(List<Node> nodes) {
        boolean warming = false;
        int least = Integer.MAX_VALUE;
        long sum = 0;
        for (Node node : nodes) {
            warming |= factor(node) < 1;
            least = Math.min(least, node.weight());
            sum += node.weight();
        }
        if (!warming) {
            return 1;
        }
        int wanted = (FINEST + least - 1) / least;
        return (int) Math.max(1, Math.min(wanted, MAX_UNITS / sum));
    }

    /** These servers with their weights in units of this scale, each at least 1. */
    List<Node> in(int scale, List<Node> nodes) {
        List<Node> weighted = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            double factor = factor(node);
            long full = (long) node.weight() * scale;
            int weight = (int) (factor < 1 ? Math.max(1, Math.round(full * factor)) : full);
            weighted.add(weight == node.weight() ? node : node.withWeight(weight));
        }
        return weighted;
    }

    /** The part of its weight that a server has, from above 0 to 1. */
    double factor(Node node) {
        return slowStart == null ? 1 : node.state.warmUp.factor(slowStart, now);
    }
}
