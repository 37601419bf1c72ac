package io.fairlead.okhttp;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.retry.Copies;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * One try of a hedged request. All of its copies, the first one too, are calls of their own: of a call that is cancelled
 * nothing more can be had, so the one that the application waits for must not be a loser. The application's thread waits,
 * and sends a copy when its time has come.
 */
final class Race {
    private final String service;
    private final Racing racing;
    private final Carrier carrier;
    private final Copies copies;
    private final long limitNanos;
    private final List<Copy> running = new ArrayList<>();

    // Guarded by this.
    private final Queue<Copy> ended = new ArrayDeque<>();
    private boolean over;

    private Pick last;
    private Outcome outcome = Outcome.cancelled();

    Race(String service, Racing racing, Carrier carrier, Copies copies, Pick first, long limitNanos) {
        this.service = service;
        this.racing = racing;
        this.carrier = carrier;
        this.copies = copies;
        this.limitNanos = limitNanos;
        last = first;
    }

    /**
     * Runs the race.
     *
     * @param firstCall carries the first copy
     * @return the first answer, whose body's end is that of its pick
     * @throws IOException none came; {@link #outcome} says what the failure of the last copy means, whose pick has not ended
     */
    Response run(Call firstCall) throws IOException {
        Cancellation cancellation = carrier.cancellation();
        Copy arrived = null;
        try {
            cancellation.then(this::wake);
            start(firstCall, last);
            while (true) {
                Copy next = await(copies.delayNanos());
                arrived = next;
                if (cancellation.happened()) {
                    running.forEach(copy -> copy.pick.done(cancellation.outcome()));
                    throw new IOException("Canceled");
                }
                if (next != null) {
                    running.remove(next);
                    if (next.hasAnswer() ? copies.won(next.pick) : copies.failed(next.pick, next.outcome())) {
                        arrived = null;
                        return end(next);
                    }
                } else if (copies.delayNanos() == 0) {
                    Pick pick = pickCopy();
                    Call call = pick == null ? null : carrier.copy();
                    if (pick != null && call != null) {
                        start(call, pick);
                    }
                }
            }
        } finally {
            stop();
            if (arrived != null) {
                // Its answer has come, and nobody is there to read it.
                arrived.close();
            }
        }
    }

    private @Nullable Pick pickCopy() throws IOException {
        try {
            return copies.next();
        } catch (RuntimeException e) {
            throw BalancedCall.picking(service, e);
        }
    }

    private Response end(Copy next) throws IOException {
        last = next.pick;
        outcome = next.outcome();
        if (next.hasAnswer()) {
            carrier.answeredBy(next.pick);
            carrier.cancellation().then(next.call::cancel);
        }
        return next.result();
    }

    /** The winner's pick, or that of the last copy to fail. */
    Pick pick() {
        return last;
    }

    /** What the failure of the last copy says about its server. */
    Outcome outcome() {
        return outcome;
    }

    private void start(Call call, Pick pick) {
        Copy copy = new Copy(this, call, pick, limitNanos);
        running.add(copy);
        carrier.carry(copy);
        racing.start(copy);
    }

    /** Tells of a copy that has come to its end; false when nobody waits for it any more. Called by the copy's thread. */
    synchronized boolean ended(Copy copy) {
        if (over) {
            return false;
        }
        ended.add(copy);
        notifyAll();
        return true;
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized @Nullable Copy await(long nanos) throws InterruptedIOException {
        try {
            if (ended.isEmpty() && nanos > 0 && !carrier.cancellation().happened()) {
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            }
            return ended.poll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** The losers have lost, or all of them when the call was given up. */
    private void stop() {
        List<Copy> late;
        synchronized (this) {
            over = true;
            late = new ArrayList<>(ended);
            ended.clear();
        }
        copies.cancel();
        running.forEach(copy -> copy.call.cancel());
        late.forEach(Copy::close);
    }
}
