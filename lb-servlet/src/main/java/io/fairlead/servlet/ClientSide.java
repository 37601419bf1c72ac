package io.fairlead.servlet;

import io.fairlead.Pick;
import io.fairlead.servlet.container.ClientReset;
import io.fairlead.servlet.container.StreamEnd;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import org.eclipse.jetty.client.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's side of an exchange: the container's request and response, the body that is read of the one, and who may
 * write to the other. It knows of no try.
 *
 * <p>Two things are won once, by whoever comes first: the {@linkplain #win() end} of the exchange, and the
 * {@linkplain #take() response}. The losers do nothing.
 *
 * <p>Made asynchronous, and given its body, by the container's thread, before any other knows of the exchange; from then
 * on safe for use from any thread. The lock is held while a head is put into the response, so that none comes into it
 * after the exchange has been won for another answer. Whoever touches what is the container's is {@linkplain #presence()
 * present} meanwhile.
 */
final class ClientSide {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    // Without objects of their own, which every request would pay for.
    private static final AtomicIntegerFieldUpdater<ClientSide> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(ClientSide.class, "ended");
    private static final AtomicIntegerFieldUpdater<ClientSide> TAKEN =
            AtomicIntegerFieldUpdater.newUpdater(ClientSide.class, "taken");

    private final Incoming incoming;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Presence presence = new Presence();

    // Set by the container's thread, before any other knows of the exchange.
    private @Nullable AsyncContext async;
    private @Nullable RequestBody body;
    private boolean hasBody;

    /** 1 once somebody has won the end. */
    private volatile int ended;
    /** 1 once somebody has taken it upon him to write the response: the answer's pump, or who answers in its stead. */
    private volatile int taken;

    /** The server has announced an answer; null: it has not. */
    private volatile @Nullable InterimWrites interimWrites;

    private volatile boolean tunnelled;

    ClientSide(Incoming incoming) {
        this.incoming = incoming;
        this.request = incoming.request();
        this.response = incoming.response();
    }

    // What the container's thread does at the beginning.

    void becomeAsync(AsyncListener listener) {
        AsyncContext started = request.startAsync(request, response);
        started.setTimeout(0);
        started.addListener(listener);
        async = started;
    }

    /**
     * Begins to read the body, where there is one that servers get; after {@link #becomeAsync}.
     *
     * @param onError is told when it cannot be read to its end
     */
    void readBody(Consumer<Throwable> onError) throws IOException {
        body = incoming.handshake() == null
                ? RequestBody.of(request, incoming.routed().maxBody(), onError)
                : null;
        if (body != null) {
            hasBody = true;
            body.listen();
        }
    }

    /** Nothing is going to be read of a body, be there one. */
    void leaveBody() {
        hasBody = RequestBody.isPresent(request);
    }

    // What there is of the request.

    /** Who touches the container's request or response has come in there. */
    Presence presence() {
        return presence;
    }

    boolean isAsync() {
        return async != null;
    }

    /** The body that is read; null: there is none, or none is read. */
    @Nullable
    RequestBody body() {
        return body;
    }

    /** Whether the request has a body, be it read or not. */
    boolean hasBody() {
        return hasBody;
    }

    /** Whether nothing more of the body is to come. */
    boolean isReadWhole() {
        RequestBody reading = body;
        return reading == null || reading.isReadWhole();
    }

    // What is won once.

    /** Wins the end of the exchange; false when another has. */
    boolean win() {
        return ENDED.compareAndSet(this, 0, 1);
    }

    boolean hasEnded() {
        return ended != 0;
    }

    /** Takes the response to write to it; false when another has. */
    boolean take() {
        return TAKEN.compareAndSet(this, 0, 1);
    }

    boolean isTaken() {
        return taken != 0;
    }

    // The response.

    /**
     * Puts the head of a server's answer into the response as no hook has changed it, unless the exchange has ended.
     *
     * @param pick of the server
     */
    void putHead(Response answer, Pick pick) {
        // Else one that writes an answer of the proxy's own, and may wait for the client, would be waited for.
        if (!hasEnded()) {
            putHeadUnlessEnded(answer, pick);
        }
    }

    private synchronized void putHeadUnlessEnded(Response answer, Pick pick) {
        if (hasEnded() || !presence.enter()) {
            return;
        }
        try {
            // Not worked out before: of an exchange that has ended the container may have taken the request back.
            ResponseHead.copy(answer, response, incoming.trust().via(), incoming.rewriting(pick));
            for (String cookie : pick.setCookies()) {
                response.addHeader("Set-Cookie", cookie);
            }
        } finally {
            presence.leave();
        }
    }

    /** Puts the head of a server's answer into the response as hooks have left it; false when the exchange has ended. */
    boolean putHead(Head changed) {
        return !hasEnded() && putHeadUnlessEnded(changed);
    }

    private synchronized boolean putHeadUnlessEnded(Head changed) {
        if (hasEnded() || !presence.enter()) {
            return false;
        }
        try {
            changed.copyTo(response);
        } finally {
            presence.leave();
        }
        return true;
    }

    /** Writes an answer of the proxy's own; for who has won the end. */
    synchronized void write(Head own) {
        if (!presence.enter()) {
            return;
        }
        try {
            int length = own.writeTo(response, hasBody);
            AccessRecord record = incoming.record();
            if (record != null) {
                record.answeredByProxy(length);
            }
        } catch (IOException | RuntimeException e) {
            log.debug("service '{}': an answer of the proxy's own could not be written", incoming.service(), e);
        } finally {
            presence.leave();
        }
    }

    /** What is written of answers that announce another; made when there is the first. */
    InterimWrites interimWrites() {
        InterimWrites writes = interimWrites;
        if (writes == null) {
            writes = new InterimWrites();
            interimWrites = writes;
        }
        return writes;
    }

    /** Does something now, or when no announcement is being written any more. */
    void afterInterim(Runnable task) {
        InterimWrites.afterwards(interimWrites, task);
    }

    /** Whether it is too late for another answer; so it is where the container has taken the response away. */
    boolean isCommitted() {
        if (!presence.enter()) {
            return true;
        }
        try {
            return response.isCommitted();
        } catch (RuntimeException e) {
            return true;
        } finally {
            presence.leave();
        }
    }

    /** Has it done by a thread that may wait for the client: one of the container's, where it has one. */
    void elsewhere(Runnable task) {
        if (startInContainer(task)) {
            return;
        }
        try {
            incoming.upstreams().executor().execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("service '{}': the proxy has no thread for an answer", incoming.service(), e);
            task.run();
        }
    }

    private boolean startInContainer(Runnable task) {
        AsyncContext context = async;
        if (context == null || !presence.enter()) {
            return false;
        }
        AfterCall started = new AfterCall(task);
        try {
            presence.handsBack();
            context.start(started);
        } catch (RuntimeException e) {
            // Too much to do, or about to stop; or it has ended the request, of which the task will learn.
            log.debug("service '{}': the container has no thread for an answer", incoming.service(), e);
            return false;
        } finally {
            presence.leave();
        }
        started.returned();
        return true;
    }

    // The end, for who has won it.

    /** HTTP ends, and the request lives on as a tunnel, whose end is that of the request. */
    void becomeTunnel() {
        tunnelled = true;
    }

    /** The tunnel comes to nothing: the request ends as others do. */
    void staysHttp() {
        tunnelled = false;
        if (hasEnded()) {
            // Who has ended it may have left this to the tunnel.
            tellEnd();
        }
    }

    /** The tunnel has ended. */
    void tunnelEnded() {
        if (tunnelled) {
            incoming.routed().end();
        }
    }

    /** Tells those that wait for the end of the request; not where it lives on as a tunnel. */
    void tellEnd() {
        if (!tunnelled) {
            incoming.routed().end();
        }
    }

    /** Ends the request for the container. */
    void complete() {
        tellEnd();
        if (!presence.enter()) {
            return;
        }
        try {
            endStream();
            AsyncContext context = async;
            if (context != null) {
                presence.handsBack();
                context.complete();
            }
        } catch (RuntimeException e) {
            // The container has ended it before us, since the client is gone.
            log.debug("service '{}': the request had been ended by the container", incoming.service(), e);
        } finally {
            presence.leave();
        }
    }

    /** The answer may have come before the request was there. */
    private void endStream() {
        RequestBody read = body;
        // Not whether the body is whole: over HTTP/2 the end of it may come after its last byte.
        if (read == null ? hasBody : !read.hasEnded()) {
            StreamEnd.withoutError(request);
        }
    }

    /** Ends a response that has begun so that the client sees it broken. */
    void breakOff() {
        tellEnd();
        if (!presence.enter()) {
            return;
        }
        try {
            AsyncContext context = async;
            if (context != null) {
                presence.handsBack();
                if (incoming.http10()) {
                    ClientReset.onClose(request);
                }
                incoming.parts().breaker().breakOff(context, request, response);
            }
        } finally {
            presence.leave();
        }
    }

    /** The client may have closed its own half of the connection only, and must not take what it gets for the whole. */
    void leave() {
        if (isCommitted()) {
            breakOff();
            return;
        }
        tellItIsTakenForGone();
        complete();
    }

    /**
     * As {@link #leave()}, for a client that the container tells to be gone: Jetty tells it of connections that it is only
     * about to close, and to which an answer that was completed now would go out as if all were well.
     */
    void gone() {
        if (isCommitted() && !incoming.parts().breaker().isQuiet()) {
            complete();
        } else {
            leave();
        }
    }

    private synchronized void tellItIsTakenForGone() {
        if (!presence.enter()) {
            return;
        }
        try {
            response.reset();
            response.setStatus(AccessRecord.CLIENT_CLOSED_REQUEST);
            response.setHeader("Connection", "close");
        } catch (RuntimeException e) {
            log.debug("service '{}': the container has taken a response back", incoming.service(), e);
        } finally {
            presence.leave();
        }
    }
}
