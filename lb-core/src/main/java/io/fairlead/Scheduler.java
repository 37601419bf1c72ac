package io.fairlead;

import io.fairlead.health.Prober;
import java.util.concurrent.Executor;

/**
 * Time and what happens later: a {@link Ticker} together with the timers that run by it, so that the two can never
 * disagree. {@link #system()} makes one with a single daemon thread.
 *
 * <p>Implementations are safe for use from any thread.
 */
public interface Scheduler extends Ticker, AutoCloseable {
    /**
     * Runs a task once, later. Tasks are short: they compute and never block.
     *
     * @param delayNanos nanoseconds from now; zero or less means as soon as possible
     * @return a handle that takes the task back while it has not begun
     */
    Timer schedule(Runnable task, long delayNanos);

    /** Where work that blocks (a health check's connection) runs: a bounded pool of daemon threads. */
    Executor blocking();

    /** Where rare work runs that reads files and may take its time: a daemon thread of its own, never kept waiting. */
    Executor files();

    /** What checks servers over the network. By default each check keeps a thread of {@link #blocking()} to itself. */
    default Prober prober() {
        return Prober.of(blocking());
    }

    /** Ends all threads; tasks that have not begun never run. A second call does nothing. */
    @Override
    void close();

    /** A scheduler of this machine's time; its threads begin with the first task and are daemons. */
    static Scheduler system() {
        return new SystemScheduler();
    }

    /** A task that was scheduled. */
    @FunctionalInterface
    interface Timer {
        /** Takes the task back; does nothing when it has run or begun to. */
        void cancel();
    }
}
