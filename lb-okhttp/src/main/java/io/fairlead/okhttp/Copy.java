package io.fairlead.okhttp;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import java.io.IOException;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * One of the copies of a hedged request: a call of its own, which runs on a thread of its own and comes by the interceptor
 * again, where it is sent to the server that was picked for it.
 */
final class Copy {
    private final Race race;
    final Call call;
    final Pick pick;
    private final long limitNanos;

    // Of the copy's thread until it is told to the race.
    private boolean begun;
    private @Nullable Response response;
    private @Nullable StoppedRedirect redirect;
    private @Nullable IOException failure;
    private @Nullable Throwable bug;
    private Outcome outcome = Outcome.cancelled();

    Copy(Race race, Call call, Pick pick, long limitNanos) {
        this.race = race;
        this.call = call;
        this.pick = pick;
        this.limitNanos = limitNanos;
    }

    /** Runs the call to the head of its answer; called by the copy's thread. */
    void run() {
        try {
            response = call.execute();
        } catch (IOException e) {
            failure = e;
        } catch (Throwable e) {
            bug = e;
        }
        if (!race.ended(this)) {
            close();
        }
    }

    /**
     * Whether the request comes by for the first time. If an interceptor before ours sends it again, that is a request as
     * any other.
     */
    boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** Sends the request where it is to go. */
    Response send(Carrier carrier, Request request) throws IOException {
        OneTry one = new OneTry(carrier, request, pick);
        try {
            return one.send(limitNanos);
        } catch (StoppedRedirect e) {
            // Interceptors before ours take a failure for a failure.
            redirect = e;
            return e.response();
        } catch (IOException e) {
            outcome = one.outcome();
            throw e;
        }
    }

    boolean hasAnswer() {
        return response != null;
    }

    /** What the failure says about the server. */
    Outcome outcome() {
        return outcome;
    }

    /** The answer, or what came in its place. */
    Response result() throws IOException {
        if (redirect != null) {
            throw redirect;
        }
        if (response != null) {
            if (!begun) {
                // An interceptor before ours answered.
                pick.cancel();
            }
            return response;
        }
        if (failure != null) {
            throw failure;
        }
        pick.cancel();
        throw Copy.<RuntimeException>undeclared(bug == null ? new IllegalStateException("not ended") : bug);
    }

    /** Nobody wants it any more. */
    void close() {
        call.cancel();
        Response unread = response;
        if (unread != null) {
            unread.close();
        }
        pick.cancel();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E undeclared(Throwable e) throws E {
        throw (E) e;
    }
}
