package io.fairlead.servlet;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Held by who is at one of a container's streams, and by who must be sure that nobody is; never while somebody is called.
 *
 * <p>A container may call while its thread holds what the one at the stream waits for within it, as Tomcat does with the
 * lock of a connection. Neither must wait for the other for ever: nobody but those who go to the stream waits for the lock
 * {@linkplain #enter() longer than a moment}.
 */
final class StreamLock {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private static final long LOOK_MILLIS = 1;
    /** Some two seconds; by looks, since a machine that stands still gives nobody time. */
    private static final int LOOKS = 2_000;
    /** So many in a row the one at the stream waits: not for one of the short locks of the container's. */
    private static final int LOOKS_WAITING = 20;

    private final ReentrantLock lock = new ReentrantLock();

    /** The thread that is at the stream, holding the lock. */
    private volatile @Nullable Thread inside;

    /** Takes the lock to go to the stream. */
    void lock() {
        lock.lock();
    }

    /** Gives back what {@link #lock()} has taken. */
    void unlock() {
        lock.unlock();
    }

    /** Whoever has the lock goes to the stream. */
    void goIn() {
        inside = Thread.currentThread();
    }

    /** Whoever has the lock has come out of the stream. */
    void comeOut() {
        inside = null;
    }

    /** Whether it is this thread that has the lock. */
    boolean isHeldByThisThread() {
        return lock.isHeldByCurrentThread();
    }

    /**
     * Waits for whoever is at the stream.
     *
     * @return whether the lock is held, to be told to {@link #leave}; if not, somebody at the stream waits in the container
     *     for the thread that calls this, and must not be waited for
     */
    boolean enter() {
        if (lock.tryLock()) {
            return true;
        }
        boolean interrupted = false;
        int waiting = 0;
        try {
            for (int looks = 0; looks < LOOKS && waiting < LOOKS_WAITING; looks++) {
                try {
                    if (lock.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                waiting = waits() ? waiting + 1 : 0;
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (waiting < LOOKS_WAITING) {
            log.warn("a request is still being read or answered that the container has done with");
        }
        return false;
    }

    /** Whether the one at the stream waits, for as long as it takes. */
    private boolean waits() {
        Thread now = inside;
        if (now == null) {
            return false;
        }
        Thread.State state = now.getState();
        return state == Thread.State.WAITING || state == Thread.State.BLOCKED;
    }

    /** Gives back what {@link #enter} has taken, if it has. */
    void leave(boolean had) {
        if (had) {
            lock.unlock();
        }
    }
}
