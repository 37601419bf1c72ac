package io.fairlead.okhttp;

import io.fairlead.Outcome;
import io.fairlead.Ticker;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call was given up, and by whom. OkHttp cancels a call whose {@code callTimeout} ran out just as its user
 * does; only the time that has passed tells the two apart.
 */
final class Cancellation {
    /**
     * So much short of its limit a call is taken for one that ran out of time, but no more than a quarter of it: the call
     * began a little before the interceptor first saw it. Where interceptors before ours take longer than this,
     * a limit that ran out teaches nothing, which is the lesser error.
     */
    private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(20);

    private final Call call;
    private final Ticker ticker;
    private final long limit;
    private final long start;
    /** What is done when it happens; guarded by this. */
    private @Nullable Runnable then;

    /** Made when the interceptor first sees the call. */
    Cancellation(Call call, Ticker ticker) {
        this.call = call;
        this.ticker = ticker;
        Timeout timeout = call.timeout();
        boolean hasDeadline = timeout.hasDeadline();
        start = timeout.timeoutNanos() > 0 || hasDeadline ? ticker.nanoTime() : 0;
        long toDeadline = hasDeadline ? Math.max(1, timeout.deadlineNanoTime() - start) : Long.MAX_VALUE;
        limit = timeout.timeoutNanos() > 0
                ? Math.min(timeout.timeoutNanos(), toDeadline)
                : hasDeadline ? toDeadline : 0;
    }

    boolean happened() {
        return call.isCanceled();
    }

    /** It has just happened. */
    void happens() {
        Runnable task;
        synchronized (this) {
            notifyAll();
            task = then;
        }
        if (task != null) {
            task.run();
        }
    }

    /** Runs a task, on any thread, when it happens; at once where it has. Replaces the task before. */
    void then(Runnable task) {
        synchronized (this) {
            then = task;
        }
        if (happened()) {
            task.run();
        }
    }

    /**
     * Waits.
     *
     * @return false, at once, when the call is given up meanwhile
     * @throws InterruptedIOException the thread was interrupted, and still is
     */
    boolean sleep(long nanos) throws InterruptedIOException {
        long from = ticker.nanoTime();
        try {
            synchronized (this) {
                while (!happened()) {
                    long left = nanos - (ticker.nanoTime() - from);
                    if (left <= 0) {
                        return true;
                    }
                    // An OkHttp before 5.4 does not tell when it happens.
                    TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, LOOK_AGAIN));
                }
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** What a call that was cancelled just now says about the server that had it. */
    Outcome outcome() {
        long slack = Math.min(SLACK, limit / 4);
        return limit > 0 && ticker.nanoTime() - start >= limit - slack ? Outcome.timedOut(null) : Outcome.cancelled();
    }
}
