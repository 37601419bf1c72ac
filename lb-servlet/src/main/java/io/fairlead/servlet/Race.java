package io.fairlead.servlet;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.retry.Copies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One try of a hedged request, which has copies on other servers when it is slow. The first head of an answer wins; the
 * other tries are given up, and their exchange hears no more of them.
 *
 * <p>Called by the threads of all tries and by the timer's; the lock is held while picks are counted, and never while a try
 * is begun or given up.
 */
final class Race {
    private final Copies copies;
    private final Upstreams timer;
    private final Function<Pick, @Nullable Try> sender;
    private final Runnable lost;

    // Guarded by this.
    private final List<Try> running = new ArrayList<>();
    private boolean over;
    private @Nullable Try winner;

    /**
     * A race with one runner.
     *
     * @param timer wakes it for each copy
     * @param sender begins a copy; null where it could not be
     * @param lost is run when no try is left, and none has told its exchange of a failure
     */
    Race(Copies copies, Upstreams timer, Function<Pick, @Nullable Try> sender, Runnable lost) {
        this.copies = copies;
        this.timer = timer;
        this.sender = sender;
        this.lost = lost;
    }

    /** The first try is under way: from now on copies are sent when their time has come. */
    void start(Try first) {
        synchronized (this) {
            if (!over) {
                running.add(first);
            }
        }
        waitForNext();
    }

    private void waitForNext() {
        long delay;
        synchronized (this) {
            delay = over ? Long.MAX_VALUE : copies.delayNanos();
        }
        if (delay != Long.MAX_VALUE) {
            timer.later(this::sendNext, delay);
        }
    }

    private void sendNext() {
        Pick pick;
        synchronized (this) {
            pick = over ? null : copies.next();
        }
        Try copy = pick == null ? null : sender.apply(pick);
        if (pick != null && copy == null && wasLast(pick)) {
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

    private synchronized boolean wasLast(Pick unsent) {
        boolean last = !over && copies.failed(unsent, Outcome.cancelled());
        over |= last;
        return last;
    }

    /** The head of an answer is there; false when another was quicker. */
    boolean won(Try first) {
        List<Try> losers;
        synchronized (this) {
            if (over || !copies.won(first.pick())) {
                return false;
            }
            losers = decide(first);
        }
        losers.forEach(Try::lose);
        return true;
    }

    /** A try has failed; true when it was the last one, whose failure is that of all. */
    synchronized boolean failed(Try failed, Outcome outcome) {
        running.remove(failed);
        boolean last = !over && copies.failed(failed.pick(), outcome);
        over |= last;
        return last;
    }

    /** Nobody wants an answer any more. */
    void cancel(Throwable cause) {
        List<Try> all;
        synchronized (this) {
            copies.cancel();
            all = decide(null);
        }
        all.forEach(each -> each.cancel(cause));
    }

    private List<Try> decide(@Nullable Try first) {
        over = true;
        winner = first;
        List<Try> others = new ArrayList<>(running);
        others.remove(first);
        running.clear();
        return others;
    }
}
