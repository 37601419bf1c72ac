package io.fairlead.benchmarks.balance;

import io.fairlead.Scheduler;
import java.util.concurrent.Executor;

/** Time that stands still until it is moved; no timer runs, since nothing that is simulated needs one. */
final class SimulatedTime implements Scheduler {
    private long now;

    void moveTo(long nanos) {
        now = nanos;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        return () -> {};
    }

    @Override
    public Executor files() {
        return blocking();
    }

    @Override
    public Executor blocking() {
        return task -> {
            throw new UnsupportedOperationException("nothing is checked here");
        };
    }

    @Override
    public void close() {}
}
