package io.fairlead.servlet;

import java.util.Collections;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.CyclicTimeouts;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Watches the time limits of all tries under way with a single timer: a try costs an entry in a set, and no timer of its
 * own.
 */
final class TryLimits extends CyclicTimeouts<Try> {
    private final Set<Try> tries = ConcurrentHashMap.newKeySet();

    TryLimits(Scheduler scheduler) {
        super(scheduler);
    }

    void begin(Try started) {
        tries.add(started);
        schedule(started);
    }

    void end(Try ended) {
        tries.remove(ended);
    }

    /** All that are under way, and maybe some that have just ended. */
    Set<Try> tries() {
        return Collections.unmodifiableSet(tries);
    }

    boolean isEmpty() {
        return tries.isEmpty();
    }

    @Override
    protected Iterator<Try> iterator() {
        return tries.iterator();
    }

    @Override
    protected boolean onExpired(Try expired) {
        expired.expired();
        return false;
    }
}
