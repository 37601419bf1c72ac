package io.fairlead.servlet;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Held by who reads a container's stream, and by who must be sure that nobody does; never while somebody is called.
 *
 * <p>A container may call while its thread holds what a reader waits for within the stream, and then that thread must not
 * wait for the reader. So there are two ways round the lock: what a container tells in passing may be
 * {@linkplain #isReadElsewhere() left to the reader}, and nobody but readers {@linkplain #enter() waits for the lock} for
 * ever.
 */
final class StreamLock {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private static final long LET_GO_SECONDS = 2;

    private final ReentrantLock lock = new ReentrantLock();

    /** The thread that is within the stream, holding the lock. */
    private volatile @Nullable Thread reader;

    /** Takes the lock to read. */
    void lock() {
        lock.lock();
    }

    /** Gives back what {@link #lock()} has taken. */
    void unlock() {
        lock.unlock();
    }

    /** The reader, who has the lock, goes into the stream. */
    void beginReading() {
        reader = Thread.currentThread();
    }

    /** The reader has come out of the stream; what has been told meanwhile is there for the next time. */
    void endReading() {
        reader = null;
    }

    /**
     * Whether another thread is within the stream, so that nobody waits to be woken up: what is told is noted before this
     * is asked, and looked at before somebody waits again.
     */
    boolean isReadElsewhere() {
        Thread now = reader;
        return now != null && !now.equals(Thread.currentThread());
    }

    /**
     * Waits for whoever is at the stream.
     *
     * @return whether the lock is held, to be told to {@link #leave}; if not, a reader waits in the container for the
     *     thread that calls this, and must not be waited for
     */
    boolean enter() {
        if (lock.tryLock()) {
            return true;
        }
        boolean interrupted = false;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LET_GO_SECONDS);
        try {
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                try {
                    if (lock.tryLock(left, TimeUnit.NANOSECONDS)) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        log.warn("a body is still being read that the container has done with");
        return false;
    }

    /** Gives back what {@link #enter} has taken, if it has. */
    void leave(boolean had) {
        if (had) {
            lock.unlock();
        }
    }
}
