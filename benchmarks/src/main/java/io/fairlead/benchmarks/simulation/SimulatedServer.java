package io.fairlead.benchmarks.simulation;

import io.fairlead.Endpoint;
import io.fairlead.Scheduler;
import io.fairlead.benchmarks.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A server: a queue, workers that take from it in order, and the faults that it may have. It does not see that a client
 * has given up, and works on the request all the same.
 */
final class SimulatedServer {
    /** What becomes of a request that reaches the server. */
    enum Reception {
        /** It is in the server's hands. */
        ACCEPTED,
        /** The connection is refused. */
        REFUSED,
        /** Nothing answers, not even to connecting. */
        SILENT
    }

    private enum State {
        UP,
        STALLED,
        BLACK_HOLE,
        FAILING,
        STOPPED,
        DEAD
    }

    private final int index;
    private final Endpoint endpoint;
    private final World world;
    private final VirtualTime time;
    private final SplittableRandom chance;
    private final Deque<Job> waiting = new ArrayDeque<>();
    private final List<Work> running = new ArrayList<>();

    private State state = State.UP;
    private double slowness = 1;
    private int failingStatus;
    private long failingNanos;
    private double coldness = 1;
    private long startedAt;
    private long warmUpNanos = 1;

    SimulatedServer(int index, Endpoint endpoint, World world, VirtualTime time, SplittableRandom chance) {
        this.index = index;
        this.endpoint = endpoint;
        this.world = world;
        this.time = time;
        this.chance = chance;
    }

    int index() {
        return index;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Takes a request that arrives at this moment. */
    Reception offer(Job job) {
        return switch (state) {
            case DEAD -> Reception.SILENT;
            case STOPPED -> Reception.REFUSED;
            case BLACK_HOLE -> Reception.ACCEPTED;
            case FAILING -> {
                answerBadly(job);
                yield Reception.ACCEPTED;
            }
            case UP, STALLED -> queue(job);
        };
    }

    private Reception queue(Job job) {
        if (waiting.size() >= world.backlog()) {
            return Reception.SILENT;
        }
        waiting.add(job);
        work();
        return Reception.ACCEPTED;
    }

    // Faults, and their end.

    /** Works as it should. What waits is worked on now. */
    void recover() {
        state = State.UP;
        slowness = 1;
        work();
    }

    /** Takes so many times as long for what it begins from now on. */
    void slowDown(double factor) {
        slowness = factor;
    }

    /** Accepts and finishes nothing; when it recovers, it goes on with all that waits. */
    void stall() {
        List<Job> interrupted = interrupt();
        state = State.STALLED;
        waiting.addAll(interrupted);
    }

    /** Accepts and never answers, neither what it has nor what comes. */
    void swallow() {
        interrupt();
        state = State.BLACK_HOLE;
    }

    /** Answers everything with this status, after this time. */
    void fail(int status, long nanos) {
        failingStatus = status;
        failingNanos = nanos;
        List<Job> interrupted = interrupt();
        state = State.FAILING;
        interrupted.forEach(this::answerBadly);
    }

    /** The process ends: connections break, new ones are refused. */
    void stop() {
        List<Job> interrupted = interrupt();
        state = State.STOPPED;
        interrupted.forEach(Job::broken);
    }

    /** The machine is gone: nothing comes back any more, and connecting times out. */
    void die() {
        interrupt();
        state = State.DEAD;
    }

    /** Starts anew: at first so many times slower, and in even steps as quick as ever after this time. */
    void start(double firstSlowness, long nanos) {
        coldness = firstSlowness;
        startedAt = time.nanoTime();
        warmUpNanos = nanos;
        recover();
    }

    private void answerBadly(Job job) {
        int status = failingStatus;
        time.schedule(() -> job.answer(status), failingNanos);
    }

    /** Takes all requests out of the server's hands: those that were worked on, and then those that waited. */
    private List<Job> interrupt() {
        List<Job> jobs = new ArrayList<>();
        for (Work work : running) {
            work.cancel();
            jobs.add(work.job);
        }
        jobs.addAll(waiting);
        running.clear();
        waiting.clear();
        return jobs;
    }

    private void work() {
        while (state == State.UP && running.size() < world.concurrency() && !waiting.isEmpty()) {
            Work work = new Work(waiting.remove());
            running.add(work);
            work.end = time.schedule(() -> finish(work), durationNanos());
        }
    }

    private void finish(Work work) {
        running.remove(work);
        work.job.answer(200);
        work();
    }

    private long durationNanos() {
        double warmth = Math.min(1, (double) (time.nanoTime() - startedAt) / warmUpNanos);
        double cold = coldness + (1 - coldness) * warmth;
        return (long) (world.service().nextNanos(chance) * slowness * cold);
    }

    private static final class Work {
        private final Job job;
        private Scheduler.@Nullable Timer end;

        Work(Job job) {
            this.job = job;
        }

        void cancel() {
            if (end != null) {
                end.cancel();
            }
        }
    }
}
