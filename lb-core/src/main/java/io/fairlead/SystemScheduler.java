package io.fairlead;

import io.fairlead.health.Prober;
import io.fairlead.health.SocketProber;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The machine's time: one daemon thread for timers, and some for what blocks, all of them begun only when needed. */
final class SystemScheduler implements Scheduler {
    private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
    private static final long IDLE_SECONDS = 30;
    private static final int BLOCKING_THREADS = 32;
    private static final int LOOKUP_THREADS = 16;

    private final ScheduledThreadPoolExecutor timers;
    private final ThreadPoolExecutor blocking = pool(BLOCKING_THREADS, "fairlead-check");
    private final ThreadPoolExecutor files = pool(1, "fairlead-file");
    private final ThreadPoolExecutor sockets = pool(1, "fairlead-probe");
    private final ThreadPoolExecutor lookups = pool(LOOKUP_THREADS, "fairlead-lookup");
    private final SocketProber prober =
            new SocketProber(task -> run(sockets, task), blocking(), task -> run(lookups, task));

    SystemScheduler() {
        timers = new ScheduledThreadPoolExecutor(1, daemons("fairlead-timer"));
        timers.setRemoveOnCancelPolicy(true);
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        try {
            ScheduledFuture<?> future =
                    timers.schedule(() -> runTimer(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            if (!timers.isShutdown()) {
                throw e;
            }
            // Closed: by contract what has not begun never runs.
            return () -> {};
        }
    }

    @Override
    public Executor blocking() {
        return task -> run(blocking, task);
    }

    @Override
    public Executor files() {
        return task -> run(files, task);
    }

    @Override
    public Prober prober() {
        return prober;
    }

    @Override
    public void close() {
        timers.shutdownNow();
        prober.close();
        sockets.shutdown();
        lookups.shutdownNow();
        blocking.shutdownNow();
        // Not interrupted: a file that is being read would seem to be unreadable.
        files.shutdown();
    }

    private static void run(ThreadPoolExecutor pool, Runnable task) {
        try {
            pool.execute(() -> runLogged(task));
        } catch (RejectedExecutionException e) {
            if (!pool.isShutdown()) {
                throw e;
            }
        }
    }

    /** A future would keep what its task throws to itself. */
    private static void runTimer(Runnable task) {
        try {
            runLogged(task);
        } catch (Error e) {
            log.error("a task in the background failed", e);
            throw e;
        }
    }

    private static void runLogged(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            log.error("a task in the background failed", e);
        }
    }

    private static ThreadPoolExecutor pool(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            // The thread may outlive the web application whose request began it, and must not hold its classes.
            thread.setContextClassLoader(null);
            return thread;
        };
    }
}
