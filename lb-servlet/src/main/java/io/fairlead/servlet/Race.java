package io.fairlead.servlet;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.retry.Copies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * One try of a hedged request, which has copies on other servers when it is slow. The first head of an answer wins; the
 * other tries are given up, and their exchange hears no more of them.
 *
 * <p>Called by the threads of all tries and by the timer's; the lock is held while picks are counted, and never while a
 * pick is ended, of which others are told, nor while a try is begun or given up.
 */
final class Race {
    /** Runs a task later. */
    interface Timer {
        /** Runs the task after so many nanoseconds, unless it is cancelled before. */
        Scheduler.Task later(Runnable task, long nanos);
    }

    private final Copies copies;
    private final Timer timer;
    private final Function<Pick, @Nullable Try> sender;
    private final Runnable lost;

    // Guarded by this.
    private final List<Try> running = new ArrayList<>();
    private boolean over;
    private @Nullable Try winner;
    private Scheduler.@Nullable Task next;

    /**
     * A race with one runner.
     *
     * @param timer wakes it for each copy
     * @param sender begins a copy; null where it could not be
     * @param lost is run when no try is left, and none has told its exchange of a failure
     */
    Race(Copies copies, Timer timer, Function<Pick, @Nullable Try> sender, Runnable lost) {
        this.copies = copies;
        this.timer = timer;
        this.sender = sender;
        this.lost = lost;
    }

    /** The first try is under way: from now on copies are sent when their time has come. */
    synchronized void start(Try first) {
        if (!over) {
            running.add(first);
        }
        waitForNext();
    }

    private synchronized void waitForNext() {
        long delay = over ? Long.MAX_VALUE : copies.delayNanos();
        if (delay != Long.MAX_VALUE) {
            next = timer.later(this::sendNext, delay);
        }
    }

    private void sendNext() {
        List<Runnable> ends = new ArrayList<>();
        Pick pick;
        synchronized (this) {
            pick = over ? null : copies.next(ends::add);
        }
        ends.forEach(Runnable::run);
        Try copy = pick == null ? null : sender.apply(pick);
        if (pick != null && copy == null && isLast(pick, Outcome.cancelled())) {
            lost.run();
        }
        if (copy != null && !join(copy)) {
            copy.lose();
        }
        waitForNext();
    }

    /** False when the race was decided for another while the copy was being sent. */
    private synchronized boolean join(Try copy) {
        if (!over) {
            running.add(copy);
        }
        return !over || winner == copy;
    }

    /** The head of an answer is there; false when another was quicker. */
    boolean won(Try first) {
        List<Runnable> ends = new ArrayList<>();
        List<Try> losers;
        synchronized (this) {
            if (over || !copies.won(first.pick(), ends::add)) {
                return false;
            }
            winner = first;
            running.remove(first);
            losers = decide();
        }
        ends.forEach(Runnable::run);
        losers.forEach(Try::lose);
        return true;
    }

    /** A try has failed; true when it was the last one, whose failure is that of all. */
    boolean failed(Try failed, Outcome outcome) {
        synchronized (this) {
            running.remove(failed);
        }
        return isLast(failed.pick(), outcome);
    }

    private boolean isLast(Pick failed, Outcome outcome) {
        List<Runnable> ends = new ArrayList<>();
        boolean last;
        synchronized (this) {
            last = !over && copies.failed(failed, outcome, ends::add);
            if (last) {
                decide();
            }
        }
        ends.forEach(Runnable::run);
        return last;
    }

    /** Nobody wants an answer any more. */
    void cancel(Throwable cause) {
        List<Runnable> ends = new ArrayList<>();
        List<Try> all;
        synchronized (this) {
            copies.cancel(ends::add);
            // A winner stays one: its exchange gives it up, even when it has not joined yet.
            all = decide();
        }
        ends.forEach(Runnable::run);
        all.forEach(each -> each.cancel(cause));
    }

    /** No copy is sent any more; gives those that were under way. */
    private List<Try> decide() {
        over = true;
        if (next != null) {
            next.cancel();
            next = null;
        }
        List<Try> others = new ArrayList<>(running);
        running.clear();
        return others;
    }
}
