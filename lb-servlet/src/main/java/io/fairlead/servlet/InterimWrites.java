package io.fairlead.servlet;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Lets what is to be written to a response wait while an answer that only announces another one is being written: a
 * container takes one thing at a time. Safe for use from any thread.
 */
final class InterimWrites {
    // Guarded by this.
    private boolean writing;
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    /** Begins a write; false while there is one. */
    synchronized boolean begin() {
        boolean free = !writing;
        writing = true;
        return free;
    }

    /** The write is through: what has waited is done, in order, by this thread. */
    void end() {
        while (true) {
            Runnable next;
            synchronized (this) {
                next = waiting.poll();
                if (next == null) {
                    writing = false;
                    return;
                }
            }
            next.run();
        }
    }

    /** Does something now, or when nothing is being written any more. */
    static void afterwards(@Nullable InterimWrites writes, Runnable task) {
        if (writes == null || !writes.isKept(task)) {
            task.run();
        }
    }

    private synchronized boolean isKept(Runnable task) {
        return writing && waiting.add(task);
    }
}
