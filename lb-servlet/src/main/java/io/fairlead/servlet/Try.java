package io.fairlead.servlet;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.CyclicTimeouts;
import org.jspecify.annotations.Nullable;

/**
 * One request to one server: knows how far it has come, which time limit is running, and how its end is to be judged.
 * Tells its {@link Exchange} of the answer's head and body, or that there will be none.
 */
final class Try
        implements CyclicTimeouts.Expirable,
                Response.HeadersListener,
                Response.ContentSourceListener,
                Response.CompleteListener {
    private enum Stage {
        /** No connection yet. */
        CONNECTING,
        /** The request is being written. */
        SENDING,
        /** The request has been written whole. */
        WAITING,
        /** The head of the answer is there. */
        ANSWERED
    }

    private static final AtomicReferenceFieldUpdater<Try, Stage> STAGE =
            AtomicReferenceFieldUpdater.newUpdater(Try.class, Stage.class, "stage");

    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(1);

    private final Exchange exchange;
    private final Pick pick;
    private final Upstream upstream;
    private volatile Stage stage = Stage.CONNECTING;
    private final AtomicReference<@Nullable Outcome> verdict = new AtomicReference<>();
    private volatile long deadline;
    private volatile boolean overloaded;
    private volatile boolean reused;
    private @Nullable UpstreamRequest request;
    private @Nullable PooledConnection connection;

    Try(Exchange exchange, Pick pick, Upstream upstream) {
        this.exchange = exchange;
        this.pick = pick;
        this.upstream = upstream;
        this.deadline = deadline(pick.settings().dialTimeout());
    }

    Pick pick() {
        return pick;
    }

    /** Whether it failed because more requests are waiting for connections than are let wait. */
    boolean isOverloaded() {
        return overloaded;
    }

    void start(UpstreamRequest toSend) {
        request = toSend;
        upstream.limits().begin(this);
        toSend.send(this);
    }

    // How far the request has come. Called by UpstreamRequest.

    void begun(@Nullable Connection assigned) {
        deadline = Long.MAX_VALUE;
        move(Stage.CONNECTING, Stage.SENDING);
        PooledConnection pooled = PooledConnection.of(assigned);
        connection = pooled;
        reused = pooled != null && pooled.isReused();
        if (pooled != null && reused && !exchange.isIdempotent() && pooled.isClosedByPeer()) {
            abort(Outcome.stale(), new IOException("the server has closed the connection"));
        }
    }

    void sent() {
        if (move(Stage.SENDING, Stage.WAITING)) {
            deadline = deadline(pick.settings().responseHeaderTimeout());
            if (stage != Stage.WAITING) {
                deadline = Long.MAX_VALUE;
            }
            upstream.limits().schedule(this);
        }
    }

    @Override
    public long getExpireNanoTime() {
        return deadline;
    }

    /** The time limit of the present stage has run out. */
    void expired() {
        switch (stage) {
            case CONNECTING -> {
                overloaded = request != null && PooledConnection.isPoolFull(upstream.client(), request);
                SocketTimeoutException cause = new SocketTimeoutException(
                        overloaded ? "no connection became free in time" : "connecting took too long");
                abort(overloaded ? Outcome.cancelled() : Outcome.connectFailed(cause), cause);
            }
            case WAITING -> {
                TimeoutException cause = new TimeoutException("no answer came in time");
                abort(Outcome.timedOut(cause), cause);
            }
            case ANSWERED -> {
                if (deadline != Long.MAX_VALUE) {
                    cancel(new IOException("the answer came, and the request could not be written whole"));
                }
            }
            case SENDING -> {
                // The connection came just now, and has no limit.
            }
        }
    }

    /** Gives up; nothing happens when the try has ended. */
    void cancel(Throwable cause) {
        abort(Outcome.cancelled(), cause);
    }

    /** The answer is through: the rest of the request, if there is one, is given a moment to be written. */
    void limitRelease() {
        deadline = deadline(RELEASE_LIMIT);
        upstream.limits().schedule(this);
    }

    private void abort(Outcome outcome, Throwable cause) {
        verdict.compareAndSet(null, outcome);
        UpstreamRequest sending = request;
        if (sending != null) {
            sending.giveUp(cause);
        }
    }

    // How the answer comes.

    @Override
    public void onHeaders(Response response) {
        if (response.getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101) {
            IOException cause = new IOException("the server changed the protocol unasked");
            abort(Outcome.broken(cause), cause);
            return;
        }
        deadline = Long.MAX_VALUE;
        stage = Stage.ANSWERED;
        pick.responded();
        exchange.answered(this, response);
    }

    @Override
    public void onContentSource(Response response, Content.Source source) {
        if (stage == Stage.ANSWERED) {
            exchange.body(this, response, source);
        }
    }

    @Override
    public void onComplete(Result result) {
        upstream.limits().end(this);
        if (result.getResponseFailure() == null && stage == Stage.ANSWERED) {
            pick.done(Outcome.status(result.getResponse().getStatus()));
            exchange.released();
            return;
        }
        Outcome decided = verdict.get();
        Throwable failure = result.getFailure();
        Outcome outcome = decided != null ? decided : judge(failure);
        if (stage == Stage.ANSWERED) {
            // The reader of the body meets the failure by itself.
            pick.done(outcome);
        } else {
            exchange.failed(this, outcome);
        }
    }

    private Outcome judge(Throwable failure) {
        if (stage == Stage.CONNECTING) {
            overloaded = failure instanceof RejectedExecutionException;
            return overloaded ? Outcome.cancelled() : Outcome.connectFailed(failure);
        }
        PooledConnection used = connection;
        boolean silent = used != null && !used.hasReceivedSinceTaken();
        if (failure instanceof SSLException && silent && !reused) {
            return Outcome.connectFailed(failure);
        }
        if (failure instanceof TimeoutException) {
            return Outcome.timedOut(failure);
        }
        // For the other methods it was looked at before anything was written; what happened since may be the request's.
        if (reused && silent && exchange.isIdempotent()) {
            return Outcome.stale();
        }
        return Outcome.broken(failure);
    }

    private boolean move(Stage from, Stage to) {
        return STAGE.compareAndSet(this, from, to);
    }

    private static long deadline(Duration limit) {
        return CyclicTimeouts.Expirable.calcExpireNanoTime(limit.toMillis());
    }
}
