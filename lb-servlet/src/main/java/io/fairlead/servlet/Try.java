package io.fairlead.servlet;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
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
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/**
 * One request to one server: knows how far it has come, which time limit is running, and how its end is to be judged.
 * Tells its {@link Exchange}: the {@link Tries} how far it comes, and that there is or will be no answer; the
 * {@link AnswerRelay} of the answer's head and body; the {@link Endings} of what ends the exchange.
 */
final class Try
        implements CyclicTimeouts.Expirable,
                RequestBody.Progress,
                UpstreamRequest.Owner,
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
        ANSWERED,
        /** Given up before anything was sent: a connection that comes now is not used. */
        GIVEN_UP_UNSENT,
        /** Given up: an answer that comes now is not taken. */
        GIVEN_UP
    }

    private static final AtomicReferenceFieldUpdater<Try, Stage> STAGE =
            AtomicReferenceFieldUpdater.newUpdater(Try.class, Stage.class, "stage");

    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(1);

    private final Exchange exchange;
    private final Pick pick;
    private final Upstream upstream;
    private final @Nullable Leg leg;
    private volatile Stage stage = Stage.CONNECTING;
    private final AtomicReference<@Nullable Outcome> verdict = new AtomicReference<>();
    // Of the stages before the answer, and of the answer.
    private volatile long deadline;
    private volatile long releaseDeadline = Long.MAX_VALUE;
    private volatile long idleDeadline = Long.MAX_VALUE;
    /** Of the try as a whole, to the head of its answer. */
    private volatile long tryDeadline = Long.MAX_VALUE;

    private final Duration tryLimit;
    private volatile boolean overloaded;
    /** Whether the client's body is waited for, and not the server. */
    private volatile boolean awaitsClient;

    private volatile boolean reused;
    /** The exchange has gone on without this try, and is told no more of it. */
    private volatile boolean refused;

    private final AtomicReference<@Nullable Runnable> afterwards = new AtomicReference<>();

    private @Nullable UpstreamRequest request;
    private @Nullable PooledConnection connection;
    private volatile @Nullable SharedConnection shared;

    /**
     * A try that {@link #start} begins.
     *
     * @param leg what it is part of; null in tests, which have no exchange
     * @param tryLimit how long it may take to the head of its answer; zero: no limit of its own
     */
    Try(Exchange exchange, Pick pick, Upstream upstream, @Nullable Leg leg, Duration tryLimit) {
        this.exchange = exchange;
        this.pick = pick;
        this.upstream = upstream;
        this.leg = leg;
        this.tryLimit = tryLimit;
        this.deadline = deadline(pick.settings().dialTimeout());
        limitTry();
    }

    Pick pick() {
        return pick;
    }

    Exchange exchange() {
        return exchange;
    }

    /** Whether it is one of the tries of this leg. */
    boolean isOf(Leg other) {
        return leg != null && leg.attempts() == other.attempts();
    }

    /** Whether it failed because more requests are waiting for connections than are let wait. */
    boolean isOverloaded() {
        return overloaded;
    }

    void start(UpstreamRequest toSend) {
        request = toSend;
        upstream.limits().begin(this);
        try {
            toSend.send(this);
        } catch (RuntimeException e) {
            upstream.limits().end(this);
            throw e;
        }
    }

    // How far the request has come. Called by UpstreamRequest.

    @Override
    public void begun(@Nullable Connection assigned) {
        if (!move(Stage.CONNECTING, Stage.SENDING)) {
            // Who gave it up is about to end it; nothing may be written meanwhile.
            end(new SocketTimeoutException("the connection came too late"));
            return;
        }
        exchange.tries().connected();
        limit(pick.settings().responseHeaderTimeout());
        exchange.tries().begun();
        PooledConnection pooled = PooledConnection.of(assigned);
        connection = pooled;
        shared = SharedConnection.of(assigned);
        reused = pooled != null && pooled.isReused();
        if (pooled != null && reused && pooled.isClosedByPeer()) {
            abort(Outcome.stale(), new IOException("the server has closed the connection"));
        }
    }

    @Override
    public void announced(Response interim) {
        if (interim.getStatus() == HttpStatus.CONTINUE_100) {
            exchange.tries().askedForBody();
        } else if (stage == Stage.SENDING || stage == Stage.WAITING) {
            exchange.relay().announced(this, interim);
        }
    }

    /** The limits run while the server does not take what it is given. */
    @Override
    public void handedOut() {
        if (stage == Stage.SENDING) {
            awaitsClient = false;
            limitTry();
            limit(pick.settings().responseHeaderTimeout());
        } else if (stage == Stage.ANSWERED) {
            moved();
        }
    }

    /**
     * The limit of the client's pace is the container's; but not every container tells of an HTTP/2 stream that it has
     * reset itself, so that here, too, nothing may stand still for ever.
     */
    @Override
    public void waitsForClient() {
        tryDeadline = Long.MAX_VALUE;
        if (stage == Stage.SENDING) {
            awaitsClient = true;
            limit(upstream.answerIdle());
        }
    }

    @Override
    public boolean later(Runnable task) {
        PooledConnection own = connection;
        SharedConnection common = shared;
        return own != null ? own.later(task) : common != null && common.later(task);
    }

    @Override
    public void sent() {
        if (move(Stage.SENDING, Stage.WAITING)) {
            limit(pick.settings().responseHeaderTimeout());
        }
    }

    private void limit(Duration limit) {
        deadline = deadline(limit);
        upstream.limits().schedule(this);
    }

    private void limitTry() {
        tryDeadline = deadline(tryLimit);
    }

    @Override
    public long getExpireNanoTime() {
        return stage == Stage.ANSWERED ? earlier(releaseDeadline, idleDeadline) : earlier(deadline, tryDeadline);
    }

    /** Moments are compared by their difference, except that the end of time is none. */
    private static long earlier(long a, long b) {
        if (a == Long.MAX_VALUE) {
            return b;
        }
        return b == Long.MAX_VALUE || NanoTime.isBefore(a, b) ? a : b;
    }

    /** The time limit of the present stage has run out. */
    void expired() {
        Stage reached = stage;
        long limit = getExpireNanoTime();
        if (limit == Long.MAX_VALUE || NanoTime.until(limit) > 0) {
            // It has moved on in this moment.
            upstream.limits().schedule(this);
            return;
        }
        switch (reached) {
            case CONNECTING -> {
                overloaded = request != null && PooledConnection.isPoolFull(upstream.client(), request);
                if (move(Stage.CONNECTING, Stage.GIVEN_UP_UNSENT)) {
                    SocketTimeoutException cause = new SocketTimeoutException(
                            overloaded ? "no connection became free in time" : "connecting took too long");
                    abort(overloaded ? Outcome.cancelled() : Outcome.connectFailed(cause), cause);
                } else {
                    overloaded = false;
                }
            }
            case SENDING -> {
                if (awaitsClient) {
                    deadline = Long.MAX_VALUE;
                    exchange.endings().clientStoodStill();
                } else if (move(Stage.SENDING, Stage.GIVEN_UP)) {
                    TimeoutException cause = new TimeoutException("the request was not taken in time");
                    abort(Outcome.timedOut(cause), cause);
                    retireIfSilent();
                }
            }
            case WAITING -> {
                if (move(Stage.WAITING, Stage.GIVEN_UP)) {
                    TimeoutException cause = new TimeoutException("no answer came in time");
                    abort(Outcome.timedOut(cause), cause);
                    retireIfSilent();
                }
            }
            case ANSWERED -> {
                boolean idle = limit == idleDeadline;
                releaseDeadline = Long.MAX_VALUE;
                idleDeadline = Long.MAX_VALUE;
                if (refused) {
                    end(new TimeoutException("an answer that nobody wants does not end"));
                } else if (idle) {
                    exchange.endings().stoodStill();
                } else {
                    cancel(new IOException("the answer came, and the request could not be written whole"));
                }
            }
            case GIVEN_UP_UNSENT, GIVEN_UP -> {
                deadline = Long.MAX_VALUE;
                tryDeadline = Long.MAX_VALUE;
            }
        }
    }

    /** Where nothing at all has come on a shared connection, no others are to wait on it in vain. */
    private void retireIfSilent() {
        SharedConnection used = shared;
        if (used != null && used.isSilent()) {
            used.retire(upstream.pings());
        }
    }

    /** Gives up; nothing happens when the try has ended. */
    void cancel(Throwable cause) {
        abort(Outcome.cancelled(), cause);
    }

    /** The answer is through: the rest of the request, if there is one, is given a moment to be written. */
    void limitRelease() {
        releaseDeadline = deadline(RELEASE_LIMIT);
        upstream.limits().schedule(this);
    }

    /** Something of the answer has moved, or of the rest of the request: it may stand still for so long again. */
    void moved() {
        boolean first = idleDeadline == Long.MAX_VALUE;
        idleDeadline = deadline(upstream.answerIdle());
        if (first) {
            upstream.limits().schedule(this);
        }
    }

    /** Closes the connection if no other request shares it; how the try is judged is settled by then. */
    void disconnect() {
        PooledConnection used = connection;
        if (used != null) {
            verdict.compareAndSet(null, Outcome.cancelled());
            used.close();
        }
    }

    private void abort(Outcome outcome, Throwable cause) {
        deadline = Long.MAX_VALUE;
        tryDeadline = Long.MAX_VALUE;
        verdict.compareAndSet(null, outcome);
        end(cause);
    }

    private void end(Throwable cause) {
        UpstreamRequest sending = request;
        if (sending != null) {
            sending.giveUp(cause);
        }
    }

    // How the answer comes.

    @Override
    public void onHeaders(Response response) {
        if (response.getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101
                && !exchange.relay().wants(response)) {
            IOException cause = new IOException("the server changed the protocol unasked");
            abort(Outcome.broken(cause), cause);
            return;
        }
        if (ResponseHead.isCoded(response)) {
            IOException cause = new IOException("the server's answer has another transfer coding than chunked");
            abort(Outcome.broken(cause), cause);
            return;
        }
        if (!move(Stage.WAITING, Stage.ANSWERED)
                && !move(Stage.SENDING, Stage.ANSWERED)
                && !move(Stage.WAITING, Stage.ANSWERED)) {
            // Given up in this moment.
            return;
        }
        if (!exchange.tries().takes(this)) {
            lose();
            return;
        }
        if (exchange.tries().refuses(this, response)) {
            return;
        }
        pick.responded(response.getStatus());
        exchange.relay().answered(this, response);
    }

    /** A copy of the request was answered first. */
    void lose() {
        refused = true;
        cancel(new IOException("another server was quicker"));
    }

    /** The answer is not passed on; it is read off, so that the connection can be used again. */
    void refuse() {
        refused = true;
        limitRelease();
    }

    /**
     * As {@link #refuse()}, where the exchange may end at once: what has come is read off before, since Jetty's client gives
     * its buffer back only when it finds it empty.
     */
    void refuse(Runnable then) {
        afterwards.set(then);
        refuse();
    }

    private void goOnAfterwards() {
        Runnable next = afterwards.getAndSet(null);
        if (next != null) {
            next.run();
        }
    }

    @Override
    public void onContentSource(Response response, Content.Source source) {
        if (refused || response.getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101) {
            new Discard(source, this).run();
            goOnAfterwards();
        } else if (stage == Stage.ANSWERED) {
            exchange.relay().body(this, response, source);
        }
    }

    @Override
    public void onComplete(Result result) {
        upstream.limits().end(this);
        boolean upgraded =
                result.isSucceeded() && result.getResponse().getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101;
        if (upgraded && (refused || stage != Stage.ANSWERED)) {
            // The client has let go of the connection, and nobody wants it.
            UpstreamRequest.endPoint(result).close();
        }
        if (refused) {
            // Most have been ended before; not one that won and was given up before it had joined its race.
            pick.cancel();
            goOnAfterwards();
            return;
        }
        if (upgraded && stage == Stage.ANSWERED) {
            exchange.relay().upgraded(this, upstream, UpstreamRequest.endPoint(result));
            return;
        }
        if (result.getResponseFailure() == null && stage == Stage.ANSWERED) {
            pick.done(Outcome.status(result.getResponse().getStatus()));
            exchange.endings().released();
            return;
        }
        Outcome decided = verdict.get();
        Throwable failure = result.getFailure();
        Outcome outcome = decided != null ? decided : judge(failure);
        if (stage == Stage.ANSWERED) {
            pick.done(outcome);
            exchange.relay().answerFailed(failure);
        } else {
            exchange.tries().failed(this, outcome);
        }
    }

    private Outcome judge(Throwable failure) {
        if (stage == Stage.GIVEN_UP_UNSENT) {
            return overloaded ? Outcome.cancelled() : Outcome.connectFailed(failure);
        }
        if (stage == Stage.CONNECTING) {
            overloaded = failure instanceof RejectedExecutionException;
            if (overloaded) {
                return Outcome.cancelled();
            }
            return isFoundClosed(failure) ? Outcome.stale() : Outcome.connectFailed(failure);
        }
        PooledConnection used = connection;
        boolean silent = used != null && !used.hasReceivedSinceTaken();
        if (failure instanceof SSLException && silent && !reused) {
            return Outcome.connectFailed(failure);
        }
        if (failure instanceof TimeoutException) {
            return Outcome.timedOut(failure);
        }
        UpstreamRequest sent = request;
        if (sent != null && sent.isMultiplexed()) {
            // Of a stream that the server says it has not looked at nothing was sent, as far as it matters.
            return Http2Failures.isUnprocessed(failure) ? Outcome.stale() : Outcome.brokenOnKeptAlive(failure);
        }
        // Also on a connection that had been kept: it was looked at before anything was written, and of a close that
        // crosses the request nobody can say what the server has done.
        return reused && silent ? Outcome.brokenOnKeptAlive(failure) : Outcome.broken(failure);
    }

    private boolean move(Stage from, Stage to) {
        return STAGE.compareAndSet(this, from, to);
    }

    private static long deadline(Duration limit) {
        return CyclicTimeouts.Expirable.calcExpireNanoTime(limit.toMillis());
    }

    /**
     * Whether a pooled connection was found closed after it had been given to the request and before anything was
     * written. Connecting itself meets no end of input, unless it is in a TLS handshake.
     */
    private boolean isFoundClosed(Throwable failure) {
        PooledConnection assigned = request == null ? null : PooledConnection.of(request.getConnection());
        boolean closed = failure instanceof EOFException || failure instanceof AsynchronousCloseException;
        return (closed && !pick.endpoint().isSecure()) || (assigned != null && assigned.isReused());
    }
}
