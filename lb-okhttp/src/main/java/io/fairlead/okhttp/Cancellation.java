package io.fairlead.okhttp;

import io.fairlead.Outcome;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;

/**
 * Whether a call was given up, and by whom. OkHttp cancels a call whose {@code callTimeout} ran out just as its user
 * does; only the time that has passed tells the two apart.
 */
final class Cancellation {
    /** The call began a little before the interceptor did. */
    private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(2);

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
        return limit > 0 && System.nanoTime() - start >= limit - SLACK ? Outcome.timedOut(null) : Outcome.cancelled();
    }
}
