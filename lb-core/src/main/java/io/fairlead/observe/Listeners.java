package io.fairlead.observe;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one service, and the changes that they have yet to hear of. Noting a change and telling it are two
 * steps: it is noted under the lock that it came about under, which gives the order, and told when that has been left.
 *
 * <p>Each change is logged when it is told. Safe for use from any thread.
 */
public final class Listeners {
    private static final Logger log = LoggerFactory.getLogger(StateListener.class);
    private static final StateListener LOG = ChangeLog::write;

    private final CopyOnWriteArrayList<StateListener> listeners = new CopyOnWriteArrayList<>();
    private final Set<StateListener> failed = ConcurrentHashMap.newKeySet();
    private final Queue<StateChange> untold = new ConcurrentLinkedQueue<>();
    /** How often {@link #tell} was called since the last of them found nothing more to do; 0: nobody is telling. */
    private final AtomicInteger calls = new AtomicInteger();

    /** No listeners so far. */
    public Listeners() {}

    /** Adds a listener. One that is added twice hears everything twice. */
    public void add(StateListener listener) {
        listeners.add(listener);
    }

    /** Takes a listener back; it may yet hear of a change that is being told. */
    public void remove(StateListener listener) {
        if (listeners.remove(listener)) {
            failed.remove(listener);
        }
    }

    /** Notes a change, to be told by the next {@link #tell}. */
    public void note(StateChange change) {
        untold.add(change);
    }

    /** Whether there is anything to tell. */
    public boolean hasNews() {
        return !untold.isEmpty();
    }

    /**
     * Tells what has been noted; called without any lock. While another thread is telling, or when a listener calls, the
     * changes are left to the call that is under way, so that nobody hears of them out of order.
     */
    public void tell() {
        if (untold.isEmpty() || calls.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (StateChange change = untold.poll(); change != null; change = untold.poll()) {
                tell(LOG, change);
                for (StateListener listener : listeners) {
                    tell(listener, change);
                }
            }
            seen = calls.addAndGet(-seen);
        } while (seen != 0);
    }

    private void tell(StateListener listener, StateChange change) {
        try {
            listener.changed(change);
        } catch (Throwable e) {
            // Whatever it is: the thread is a request's, and has its own work to go on with.
            if (failed.add(listener)) {
                log.error("a listener failed at '{}'; it goes on being told, and this is logged once", change, e);
            }
        }
    }
}
