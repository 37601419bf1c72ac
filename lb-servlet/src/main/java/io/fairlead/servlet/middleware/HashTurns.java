package io.fairlead.servlet.middleware;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who may compute the hash of a password: no more at a time than there are processors, for all middlewares of a filter
 * together. A few may wait for their turn.
 *
 * <p>Safe for use from any thread.
 */
final class HashTurns {
    private static final int WAITING_PER_PROCESSOR = 4;

    private final Semaphore computing;
    private final Semaphore waiting;
    private final AtomicLong taken = new AtomicLong();

    /** @param processors how many hashes may be computed at a time */
    HashTurns(int processors) {
        computing = new Semaphore(processors);
        waiting = new Semaphore(processors * WAITING_PER_PROCESSOR);
    }

    static HashTurns ofThisMachine() {
        return new HashTurns(Runtime.getRuntime().availableProcessors());
    }

    /**
     * Takes a turn, and waits for it if there is room in the line; {@link #done} gives it back.
     *
     * @return false when it was not to be had
     */
    boolean take(long patienceMillis) throws InterruptedException {
        if (!computing.tryAcquire() && !await(patienceMillis)) {
            return false;
        }
        taken.incrementAndGet();
        return true;
    }

    private boolean await(long patienceMillis) throws InterruptedException {
        if (!enterLine()) {
            return false;
        }
        try {
            return computing.tryAcquire(patienceMillis, TimeUnit.MILLISECONDS);
        } finally {
            leaveLine();
        }
    }

    void done() {
        computing.release();
    }

    /** Whether there is room for one more who waits; then {@link #leaveLine} follows. */
    boolean enterLine() {
        return waiting.tryAcquire();
    }

    void leaveLine() {
        waiting.release();
    }

    /** How many turns have been taken; for tests. */
    long taken() {
        return taken.get();
    }
}
