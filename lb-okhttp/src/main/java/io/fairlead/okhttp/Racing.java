package io.fairlead.okhttp;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where the copies of hedged requests run: daemon threads that begin when they are needed and end half a minute after. The
 * client's dispatcher is not asked for its threads: calls that hold them are waiting for these copies.
 */
final class Racing {
    private static final long IDLE_SECONDS = 30;

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
        threads.execute(copy::run);
    }
}
