package io.fairlead.servlet;

import io.fairlead.servlet.log.AccessEntry.End;
import io.fairlead.servlet.middleware.OwnAnswer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an exchange ends: by an answer that has been carried through; by one of the proxy's own, or the page of another
 * service in its place; or before its regular end, by a client that is gone, a server that broke off, or a time limit.
 *
 * <p>Told by everybody, by any thread; the first who wins the end decides. What is to be done of an end before the
 * regular one is left to the answer's pump where there is one, since a container takes one thing at a time.
 */
final class Endings implements AsyncListener {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private static final int HANDED_OVER = 1;
    private static final int RELEASED = 2;

    // Without objects of their own, which every request would pay for.
    private static final AtomicIntegerFieldUpdater<Endings> DONE =
            AtomicIntegerFieldUpdater.newUpdater(Endings.class, "done");
    private static final AtomicReferenceFieldUpdater<Endings, @Nullable Ending> REST =
            AtomicReferenceFieldUpdater.newUpdater(Endings.class, Ending.class, "rest");

    private final Exchange exchange;
    private final Incoming incoming;
    private final ClientSide client;
    private final OwnAnswers ownAnswers;
    private final ServerSide server;

    /** What of a regular end there is. */
    private volatile int done;

    private volatile @Nullable ResponsePump pump;

    private volatile boolean completed;

    /** What is still to be done of an end before the regular one. */
    @SuppressWarnings("UnusedVariable") // It is read by REST.
    private volatile @Nullable Ending rest;

    /** @param exchange has the tries for a page of another service */
    Endings(Exchange exchange, Incoming incoming, ClientSide client, OwnAnswers ownAnswers, ServerSide server) {
        this.exchange = exchange;
        this.incoming = incoming;
        this.client = client;
        this.ownAnswers = ownAnswers;
        this.server = server;
    }

    // The regular end.

    /** The answer has been handed to the container whole. */
    void handedOver() {
        part(HANDED_OVER);
    }

    /** The server's connection has been given back: the client's next request will find it. */
    void released() {
        part(RELEASED);
    }

    private void part(int part) {
        if (DONE.accumulateAndGet(this, part, (before, now) -> before | now) == (HANDED_OVER | RELEASED)) {
            end();
        }
    }

    /** Whether the answer has been carried through. */
    boolean isDone() {
        return done == (HANDED_OVER | RELEASED);
    }

    /** There is nothing more to be done for the client. */
    void end() {
        if (client.win()) {
            incoming.ends(End.COMPLETE);
            server.close();
            client.complete();
        }
    }

    // An answer of the proxy's own.

    /** Answers instead of a server; nothing happens when the exchange has ended. */
    void answer(Answer own) {
        answer(own, true);
    }

    private void answer(Answer own, boolean page) {
        if (client.hasEnded()) {
            return;
        }
        Leg now = server.leg();
        Head replaced = now.replaced();
        AnswerHooks hooks = incoming.hooks();
        AnswerHooks.Result result;
        try {
            result = replaced == null
                    ? hooks.run(incoming.head(own.own()))
                    : hooks.run(hooks.fallback(replaced), now.hooksLeft());
        } catch (RuntimeException | Error e) {
            failed(e);
            return;
        }
        answer(result, page && replaced == null);
    }

    /**
     * Answers what hooks have made of an answer, which is the proxy's own; or has another service asked for it first.
     * Nothing happens when the exchange has ended.
     *
     * @param page whether another service may be asked
     */
    void answer(AnswerHooks.Result result, boolean page) {
        AnswerHooks hooks = incoming.hooks();
        Head last;
        try {
            Head.Page wanted = result.page();
            if (wanted != null && page && exchange.tries().startPage(wanted, result)) {
                return;
            }
            last = wanted == null ? result.head() : hooks.runWithoutPages(hooks.fallback(result.head()), result.left());
        } catch (RuntimeException | Error e) {
            failed(e);
            return;
        }
        if (!client.win()) {
            return;
        }
        incoming.ends(End.OWN_ANSWER);
        try {
            server.close();
        } finally {
            ownAnswers.finish(last);
        }
    }

    /** Whatever has failed on the way to an answer, the client gets one. */
    private void failed(Throwable cause) {
        log.warn("service '{}': a request could not be answered as it should be", incoming.service(), cause);
        abandon(cause, Answer.FAILED.own());
    }

    // An end before the regular one.

    /**
     * An end before the regular one.
     *
     * @param ifUncommitted what is answered where nothing has been sent; if something has, the response is broken off.
     *     Null when the client is gone and takes no answer
     * @param serverFailed whether the server's request has failed by itself
     * @param left whether the client was found to be gone, or not to send anything more: the container does not know
     */
    private record Ending(Throwable cause, @Nullable OwnAnswer ifUncommitted, boolean serverFailed, boolean left) {}

    /** The answer cannot be carried on: another one is given where nothing has been sent, or else it is broken off. */
    void abandon(Throwable cause, OwnAnswer ifUncommitted) {
        abandon(new Ending(cause, ifUncommitted, false, false));
    }

    /** The server broke off in the middle of its answer: the client must see that, too. */
    void serverBrokeOff(Throwable cause) {
        abandon(new Ending(cause, Answer.BROKEN.own(), true, false));
    }

    /** Nothing of the answer has moved for so long that it is not waited for any more. */
    void stoodStill() {
        abandon(new TimeoutException("the answer stood still"), Answer.TIMED_OUT.own());
    }

    /** Nothing more of the client's body has come for so long that it is not waited for any more. */
    void clientStoodStill() {
        abandon(new TimeoutException("the body stood still"), Answer.SLOW_BODY.own());
    }

    /** The client has gone away: nobody wants the answer any more. */
    void clientGone(Throwable cause) {
        abandon(new Ending(cause, null, false, false));
    }

    /** The client has closed its connection, or its own half of it, which the container does not know. */
    void clientLeft() {
        abandon(new Ending(new EOFException("the client has closed its connection"), null, false, true));
    }

    /** The client's body could not be read to its end. */
    void bodyFailed(Throwable cause) {
        if (ClientGone.isToldBy(cause)) {
            AccessRecord record = incoming.record();
            // One that has ended only what it sends may still read an answer, so there is one.
            if (record != null && !client.isTaken()) {
                record.leftUnanswered();
            }
            incoming.ends(End.CLIENT_GONE);
        }
        Answer own = cause instanceof RequestBody.TooLongException ? Answer.TOO_LARGE : Answer.BAD_BODY;
        if (cause instanceof TimeoutException || cause instanceof SocketTimeoutException) {
            RequestBody slow = client.body();
            // The container counts the time as well in which the server takes nothing.
            own = slow != null && slow.hasFailedWhileAwaited() ? Answer.SLOW_BODY : Answer.TIMED_OUT;
        }
        if (!client.take()) {
            // The client may be there, and must not take what it has of the answer for the whole.
            abandon(cause, own.own());
            return;
        }
        try {
            // No page of another service: the client may be gone, and the response has been taken for this answer.
            answer(own, false);
        } finally {
            // Not asked for before: a try may begin until the exchange has ended.
            if (client.hasEnded()) {
                server.cancel(cause);
            }
        }
    }

    private void abandon(Ending how) {
        if (!client.win()) {
            return;
        }
        rest = how;
        ResponsePump pumping = pump;
        if (pumping != null) {
            // The server only when it has let go: Jetty's client must not meet the pump within the answer.
            pumping.wake();
        } else {
            letGo();
        }
    }

    /** Lets a pump carry the answer, and whatever end it comes to. */
    void start(ResponsePump started) {
        AccessRecord record = incoming.record();
        if (record != null) {
            record.answeredBy(started);
        }
        pump = started;
        started.wake();
    }

    /** The pump has let go of the answer of an exchange that has ended. */
    void letGo() {
        client.afterInterim(this::goOn);
    }

    private void goOn() {
        Ending how = REST.getAndSet(this, null);
        if (how == null) {
            return;
        }
        try {
            giveUpServer(how);
        } finally {
            endClient(how);
        }
    }

    private void giveUpServer(Ending how) {
        server.close();
        server.cancelRace(how.cause());
        if (!how.serverFailed()) {
            server.cancel(how.cause());
        }
    }

    private void endClient(Ending how) {
        OwnAnswer own = how.ifUncommitted();
        if (own == null && !how.left() && incoming.parts().isStopping()) {
            // It is not the client that is gone.
            own = Answer.STOPPING.own();
        }
        if (!client.isAsync() || (!how.left() && (done & HANDED_OVER) != 0)) {
            incoming.ends(End.CLIENT_GONE);
            client.complete();
        } else if (own == null) {
            incoming.ends(End.CLIENT_GONE);
            if (how.left()) {
                client.leave();
            } else {
                client.gone();
            }
        } else if (client.isCommitted()) {
            incoming.ends(how.serverFailed() ? End.SERVER_BROKE_OFF : End.GIVEN_UP);
            log.debug("service '{}': an answer is broken off", incoming.service(), how.cause());
            client.breakOff();
        } else {
            incoming.ends(End.OWN_ANSWER);
            Head last;
            try {
                last = incoming.hooks().runWithoutPages(incoming.head(own));
            } catch (RuntimeException | Error e) {
                log.warn("service '{}': a request could not be answered", incoming.service(), e);
                client.complete();
                return;
            }
            ownAnswers.finish(last);
        }
    }

    // What the container tells.

    /** Whether the container has no more use for anything that it was given. */
    boolean isCompleted() {
        return completed;
    }

    @Override
    public void onComplete(AsyncEvent event) {
        completed = true;
        if (!client.hasEnded()) {
            // It is the container that has ended it, and told nobody why: nothing is wanted of a server any more.
            clientGone(new IOException("the container has ended the request"));
        }
        client.tellEnd();
        letGoOfStreams();
        ResponsePump used = pump;
        if (used != null) {
            used.wake();
        }
        client.presence().takeBack();
    }

    @Override
    public void onError(AsyncEvent event) {
        Throwable cause = event.getThrowable();
        clientGone(cause == null ? new IOException("the client is gone") : cause);
        letGoOfStreams();
        if (!incoming.parts().breaker().isQuiet()) {
            // It ends the request next, unless that has been done: nobody else may be about to.
            client.presence().takeBackBeforeEnd();
        }
    }

    /** Who has won the end need not have come to this yet. */
    private void letGoOfStreams() {
        ResponsePump used = pump;
        if (used != null) {
            used.awaitLetGo();
        }
        RequestBody body = client.body();
        if (body != null) {
            body.close();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // Never: the time limit is 0, unless the breaker sets one to end the exchange by it.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // A filter behind us began anew, which cannot be: we end the chain.
    }
}
