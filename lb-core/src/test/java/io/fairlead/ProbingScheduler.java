package io.fairlead;

import io.fairlead.health.Prober;
import java.util.concurrent.Executor;

/** Time that a test moves by hand, with checks whose verdicts the test gives. */
public class ProbingScheduler implements Scheduler {
    private final ManualScheduler time;
    private final Prober prober;

    /** The same time, and this prober in place of one that opens sockets. */
    public ProbingScheduler(ManualScheduler time, Prober prober) {
        this.time = time;
        this.prober = prober;
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        return time.schedule(task, delayNanos);
    }

    @Override
    public Executor blocking() {
        return time.blocking();
    }

    @Override
    public Executor files() {
        return time.files();
    }

    @Override
    public Prober prober() {
        return prober;
    }

    @Override
    public void close() {
        time.close();
    }
}
