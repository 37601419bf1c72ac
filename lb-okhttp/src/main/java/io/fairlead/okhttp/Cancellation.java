package io.fairlead.okhttp;

import io.fairlead.Outcome;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;

/**
 * Whether a call was given up, and by whom. OkHttp cancels a call whose {@code callTimeout} ran out just as its user
 * does; only the time that has passed tells the two apart.
 */
final class Cancellation {
    /** The call began a little before the interceptor did: so much of its time, and at least so long. */
    private static final int SLACK_SHARE = 8;

    private static final long LEAST_SLACK = TimeUnit.MILLISECONDS.toNanos(5);

    private final Call call;
    private final long limit;
    private final long start;

    Cancellation(Call call) {
        this.call = call;
        limit = call.timeout().timeoutNanos();
        start = limit > 0 ? System.nanoTime() : 0;
    }

    boolean happened() {
        return call.isCanceled();
    }

    /** What a call that was cancelled just now says about the server that had it. */
    Outcome outcome() {
        long slack = Math.max(LEAST_SLACK, limit / SLACK_SHARE);
        return limit > 0 && System.nanoTime() - start >= limit - slack ? Outcome.timedOut(null) : Outcome.cancelled();
    }
}
