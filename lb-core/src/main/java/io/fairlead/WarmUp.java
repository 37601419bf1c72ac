package io.fairlead;

import io.fairlead.health.SlowStart;

/**
 * Since when one server has been usable, if it has become so while its service was running. Written under the load
 * balancer's lock, read by snapshots without it.
 */
final class WarmUp {
    private boolean usable;
    private volatile boolean timed;
    private volatile long since;

    /** The server counts as usable since long ago: it came with the service's first list. */
    void skip() {
        usable = true;
        timed = false;
    }

    /** Takes notice of whether the server is usable at this moment. */
    void look(boolean isUsable, long now) {
        if (isUsable && !usable) {
            since = now;
            timed = true;
        } else if (!isUsable) {
            timed = false;
        }
        usable = isUsable;
    }

    /** The share of its weight that the server has at this moment, from above 0 to 1. */
    double factor(SlowStart slowStart, long now) {
        return timed ? slowStart.factor(now - since) : 1;
    }

    /** Nanoseconds from this moment to the full weight; 0 where the server has it. */
    long remaining(SlowStart slowStart, long now) {
        return factor(slowStart, now) < 1 ? slowStart.duration().toNanos() - (now - since) : 0;
    }
}
