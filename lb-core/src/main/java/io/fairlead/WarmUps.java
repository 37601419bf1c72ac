package io.fairlead;

import io.fairlead.health.SlowStart;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slow start of one service: sees which servers have become usable, and asks for a new roster step by step while any
 * of them is on its way to its full weight. One timer serves all servers, and none runs while all have arrived.
 *
 * <p>Every method is called under the load balancer's lock.
 */
final class WarmUps {
    private static final int STEPS = 20;
    private static final long MIN_STEP_NANOS = 100_000_000L;

    private final Scheduler scheduler;
    private final Runnable step;

    private @Nullable SlowStart slowStart;
    private Scheduler.@Nullable Timer timer;

    /**
     * No server warms up so far.
     *
     * @param step is run by the timer, without the lock; it calls {@link #isDue} under it
     */
    WarmUps(Scheduler scheduler, Runnable step) {
        this.scheduler = scheduler;
        this.step = step;
    }

    /** Looks at the servers and gives the weights of this moment; null: every server has its full weight at once. */
    WarmWeights look(Collection<Node> nodes, @Nullable SlowStart start) {
        long now = scheduler.nanoTime();
        for (Node node : nodes) {
            // One that has never been checked has not been away: it goes on as it came.
            if (!node.isAwaitingVerdict()) {
                node.state.warmUp.look(node.isUsable(), now);
            }
        }
        return new WarmWeights(start, now);
    }

    /**
     * Sees to it that the next step comes while one of these servers warms up, and that none comes otherwise.
     *
     * @param start null: none does
     */
    void follow(Collection<Node> nodes, @Nullable SlowStart start) {
        if (!Objects.equals(start, slowStart)) {
            // Its steps may be too long for another start.
            cancel();
        }
        slowStart = start;
        long soonest = start == null ? 0 : soonest(nodes, start);
        if (start == null || soonest == 0) {
            cancel();
        } else if (timer == null) {
            long delay = Math.min(soonest, start.duration().toNanos() / STEPS);
            timer = scheduler.schedule(step, Math.max(MIN_STEP_NANOS, delay));
        }
    }

    /** Whether the step that has come is wanted still. */
    boolean isDue() {
        boolean due = timer != null;
        // Where this step had been taken back too late, the timer is that of the next: two would go on side by side.
        cancel();
        return due;
    }

    void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private long soonest(Collection<Node> nodes, SlowStart start) {
        long now = scheduler.nanoTime();
        long soonest = 0;
        for (Node node : nodes) {
            long remaining = node.state.warmUp.remaining(start, now);
            if (remaining > 0 && (soonest == 0 || remaining < soonest)) {
                soonest = remaining;
            }
        }
        return soonest;
    }
}
