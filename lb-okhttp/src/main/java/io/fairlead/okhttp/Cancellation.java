package io.fairlead.okhttp;

import io.fairlead.Outcome;
import io.fairlead.Ticker;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;

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

    private final Call call;
    private final Ticker ticker;
    private final long limit;
    private final long start;

    /** Made when the interceptor first sees the call. */
    Cancellation(Call call, Ticker ticker) {
        this.call = call;
        this.ticker = ticker;
        limit = call.timeout().timeoutNanos();
        start = limit > 0 ? ticker.nanoTime() : 0;
    }

    boolean happened() {
        return call.isCanceled();
    }

    /** What a call that was cancelled just now says about the server that had it. */
    Outcome outcome() {
        long slack = Math.min(SLACK, limit / 4);
        return limit > 0 && ticker.nanoTime() - start >= limit - slack ? Outcome.timedOut(null) : Outcome.cancelled();
    }
}
