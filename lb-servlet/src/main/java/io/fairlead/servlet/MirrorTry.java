package io.fairlead.servlet;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * One copy on its way to a mirror's server. The answer is read to its end and thrown away, so that the connection can be
 * used again; what it teaches of the server is told to the pick and to nobody else.
 */
final class MirrorTry implements UpstreamRequest.Owner, Response.HeadersListener, Response.CompleteListener {
    private final Pick pick;
    private final Consumer<MirrorTry> ended;
    private volatile @Nullable UpstreamRequest request;
    private volatile boolean begun;
    private volatile boolean stale;

    /**
     * A copy that is about to be sent.
     *
     * @param ended is told of the end
     */
    MirrorTry(Pick pick, Consumer<MirrorTry> ended) {
        this.pick = pick;
        this.ended = ended;
    }

    void start(UpstreamRequest toSend) {
        request = toSend;
        toSend.send(this);
    }

    void cancel(Throwable cause) {
        pick.cancel();
        giveUp(cause);
    }

    private void giveUp(Throwable cause) {
        UpstreamRequest sending = request;
        if (sending != null) {
            sending.giveUp(cause);
        }
    }

    @Override
    public void begun(@Nullable Connection assigned) {
        PooledConnection pooled = PooledConnection.of(assigned);
        if (pooled != null && pooled.isReused() && pooled.isClosedByPeer()) {
            stale = true;
            giveUp(new IOException("the server has closed the connection"));
        } else {
            begun = true;
        }
    }

    @Override
    public void sent() {
        // The time limit spans all of it.
    }

    @Override
    public void onHeaders(Response response) {
        if (response.getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101) {
            giveUp(new IOException("the server changed the protocol unasked"));
            return;
        }
        pick.responded(response.getStatus());
    }

    @Override
    public void onComplete(Result result) {
        ended.accept(this);
        pick.done(result.isSucceeded() ? Outcome.status(result.getResponse().getStatus()) : judge(result.getFailure()));
    }

    private Outcome judge(Throwable failure) {
        if (stale) {
            return Outcome.stale();
        }
        if (failure instanceof RejectedExecutionException) {
            return Outcome.cancelled();
        }
        if (!begun) {
            return Outcome.connectFailed(failure);
        }
        return failure instanceof TimeoutException ? Outcome.timedOut(failure) : Outcome.broken(failure);
    }
}
