package io.fairlead.okhttp;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the copies of hedged requests run: daemon threads that begin when they are needed and end half a minute after. The
 * client's dispatcher is not asked for its threads: calls that hold them are waiting for these copies.
 */
final class Racing {
    private static final long IDLE_SECONDS = 30;

    /** Which copy the thread is running; one of these objects in an interceptor. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Copy> current = new ThreadLocal<>();

    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
                Thread thread = new Thread(task, "fairlead-hedge");
                thread.setDaemon(true);
                return thread;
            },
            // Closed: the call's own thread carries it.
            (task, executor) -> task.run());

    /** Ends the threads; copies under way come to their end. */
    void close() {
        threads.shutdown();
    }

    void start(Copy copy) {
        threads.execute(() -> {
            current.set(copy);
            try {
                copy.run();
            } finally {
                current.remove();
            }
        });
    }

    /** The copy that the calling thread is sending, once; null where it is sending none. */
    @Nullable
    Copy take() {
        Copy copy = current.get();
        return copy != null && copy.begin() ? copy : null;
    }

    /** Whether the calling thread is sending a copy, which is not copied again. */
    boolean isCopying() {
        return current.get() != null;
    }
}
