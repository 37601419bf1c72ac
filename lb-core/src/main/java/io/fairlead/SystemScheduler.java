package io.fairlead;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The machine's time: one daemon thread for timers, a few for what blocks, all of them begun only when needed. */
final class SystemScheduler implements Scheduler {
    private static final long IDLE_SECONDS = 30;

    private final ScheduledThreadPoolExecutor timers;
    private final ThreadPoolExecutor blocking;

    SystemScheduler(int blockingThreads) {
        timers = new ScheduledThreadPoolExecutor(1, daemons("fairlead-timer"));
        timers.setRemoveOnCancelPolicy(true);
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        blocking = new ThreadPoolExecutor(
                blockingThreads,
                blockingThreads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons("fairlead-check"));
        blocking.allowCoreThreadTimeOut(true);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        try {
            ScheduledFuture<?> future = timers.schedule(task, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
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
        return task -> {
            try {
                blocking.execute(task);
            } catch (RejectedExecutionException e) {
                if (!blocking.isShutdown()) {
                    throw e;
                }
            }
        };
    }

    @Override
    public void close() {
        timers.shutdownNow();
        blocking.shutdownNow();
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
