package io.fairlead;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Time that a test moves by hand. Work that blocks runs at once, in the thread that moves the time. */
public final class ManualScheduler implements Scheduler {
    private final List<Task> tasks = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5_000_000_000L; // Overflows within the first seconds of each test.
    private boolean closed;

    private static final class Task {
        final Runnable work;
        final long at;

        Task(Runnable work, long at) {
            this.work = work;
            this.at = at;
        }
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized Timer schedule(Runnable work, long delayNanos) {
        Task task = new Task(work, now + Math.max(0, delayNanos));
        if (!closed) {
            tasks.add(task);
        }
        return () -> {
            synchronized (this) {
                tasks.remove(task);
            }
        };
    }

    @Override
    public Executor blocking() {
        return Runnable::run;
    }

    @Override
    public Executor files() {
        return Runnable::run;
    }

    /** Moves the time on and runs what is due, in order. */
    public void advanceMillis(long millis) {
        long end;
        synchronized (this) {
            end = now + millis * 1_000_000L;
        }
        while (true) {
            Task due;
            synchronized (this) {
                long from = now;
                Optional<Task> first = tasks.stream()
                        .filter(task -> task.at - end <= 0)
                        .min(Comparator.comparingLong(task -> task.at - from));
                if (!first.isPresent()) {
                    now = end;
                    return;
                }
                due = first.get();
                tasks.remove(due);
                now = due.at - now > 0 ? due.at : now;
            }
            due.work.run();
        }
    }

    /** How many tasks wait for their time. */
    public synchronized int waiting() {
        return tasks.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        tasks.clear();
    }
}
