package io.fairlead.servlet;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.servlet.container.AnswerHeadLimit;
import io.fairlead.servlet.container.EarlyHints;
import io.fairlead.servlet.log.AccessEntry.End;
import io.fairlead.servlet.middleware.AnswerException;
import io.fairlead.servlet.tunnel.EndPointEnd;
import io.fairlead.servlet.tunnel.Tunnel;
import java.io.IOException;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the answer of the try that the exchange depends on to the client: what is announced before it, its head, which
 * hooks may change, and its body, for which it starts a {@link ResponsePump}; or joins the connections where the server
 * changes the protocol.
 *
 * <p>The head and the start of the body are told by one thread of Jetty's client after the other, never by two at a time;
 * what the pump tells comes from whichever thread runs it.
 */
final class AnswerRelay implements ResponsePump.Relay {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    /** So large a head every container sends. */
    private static final int ANY_HEAD_BYTES = 4 * 1024;

    private final Incoming incoming;
    private final ClientSide client;
    private final ServerSide server;
    private final Endings endings;

    /** As hooks have left it; null: there are none. */
    private volatile @Nullable Head head;

    /** The try whose answer's body is passed on. */
    private volatile @Nullable Try carrying;

    /** The answer that is carried to a client that speaks HTTP/2; null: it does not. */
    private volatile @Nullable Response overHttp2;

    /** What the server said, whatever the client is told. */
    private volatile int answeredStatus;

    AnswerRelay(Incoming incoming, ClientSide client, ServerSide server, Endings endings) {
        this.incoming = incoming;
        this.client = client;
        this.server = server;
        this.endings = endings;
    }

    // What a try tells. Called by threads of Jetty's client.

    /**
     * The server announces an answer: the client is told, where the container can without waiting for him. Not while
     * servers race, nor before the client has been asked for a body that he keeps back: then it is swallowed.
     */
    void announced(Try announcing, Response interim) {
        RequestBody body = client.body();
        boolean passedOn = server.isAlone(announcing)
                && incoming.handshake() == null
                && !incoming.http10()
                && (body == null || !body.isToBeAskedFor());
        if (!passedOn) {
            return;
        }
        InterimWrites writes = client.interimWrites();
        if (!writes.begin()) {
            return;
        }
        // Whoever ends the exchange from here on waits for the write.
        AfterCall end = new AfterCall(writes::end);
        boolean begun = false;
        if (!client.hasEnded() && client.presence().enter()) {
            try {
                begun = EarlyHints.write(
                        incoming.response(),
                        interim.getStatus(),
                        fields -> ResponseHead.forEach(
                                interim,
                                incoming.trust().via(),
                                rewriting(announcing),
                                (name, known, value) -> fields.accept(name, value)),
                        end);
            } finally {
                client.presence().leave();
            }
        }
        if (begun) {
            end.returned();
        } else {
            writes.end();
        }
    }

    /** The head of an answer is there. */
    void answered(Try answering, Response answer) {
        answeredStatus = answer.getStatus();
        AccessRecord record = incoming.record();
        if (record != null && !server.leg().isPage()) {
            record.answered(answering.pick().endpoint().uri().toString(), answer.getStatus());
        }
        try {
            if (incoming.hooks().isEmpty() && !server.leg().isPage()) {
                HttpFields fields = answer.getHeaders();
                int size = ResponseHead.size(fields);
                if (size > ANY_HEAD_BYTES) {
                    checkSize(answering, size, ResponseHead.largest(fields));
                }
                client.putHead(answer, answering.pick());
            } else {
                answeredWithHooks(answering, answer);
            }
        } catch (RuntimeException e) {
            // The container has taken the response away, or will not have this head.
            endings.abandon(e, Answer.BROKEN.own());
            answering.cancel(e);
        }
    }

    private void answeredWithHooks(Try answering, Response answer) {
        AnswerHooks hooks = incoming.hooks();
        Leg leg = server.leg();
        Head replaced = leg.replaced();
        int status = replaced == null ? answer.getStatus() : replaced.status();
        Head shown = Head.of(
                answer,
                incoming.method(),
                status,
                incoming.trust().via(),
                rewriting(answering),
                answering.pick().setCookies());
        if (replaced != null) {
            shown.carryOver(replaced);
        }
        AnswerHooks.Result result = replaced == null ? hooks.run(shown) : hooks.run(shown, leg.hooksLeft());
        if (result.head().isOwn() || result.page() != null) {
            // The server has done its part; what it says is read off and thrown away.
            answering.pick().done(Outcome.status(answer.getStatus()));
            boolean page = !leg.isPage();
            answering.refuse(() -> endings.answer(result, page));
            return;
        }
        int size = result.head().size();
        if (size > ANY_HEAD_BYTES) {
            checkSize(answering, size, result.head().largest());
        }
        if (client.putHead(result.head())) {
            head = result.head();
        }
    }

    /**
     * Whether the container sends a head of this size. It would say so only when it is too late for another answer.
     *
     * @param largest the size of the largest field
     * @throws IllegalStateException it does not
     */
    private void checkSize(Try answering, int bytes, int largest) {
        int limit = AnswerHeadLimit.of(incoming.request());
        int limitOfOne = AnswerHeadLimit.ofField(incoming.request());
        if (bytes > limit || largest > limitOfOne) {
            log.warn(
                    "service '{}': {} of an answer of {} has {} bytes, more than the {} that this container sends",
                    incoming.service(),
                    bytes > limit ? "the head" : "a field",
                    answering.pick().endpoint().uri(),
                    bytes > limit ? bytes : largest,
                    bytes > limit ? limit : limitOfOne);
            throw new IllegalStateException("the head of the answer is too large for the container");
        }
    }

    /** What is translated in an answer; of the pages of other services nothing, since the client did not ask for them. */
    private @Nullable Rewriting rewriting(Try answering) {
        return server.leg().isPage() ? null : incoming.rewriting(answering.pick());
    }

    /** The body of the answer can be read. */
    void body(Try answering, Response answer, Content.Source source) {
        if (client.hasEnded() || !client.take()) {
            discard(answering, source);
            return;
        }
        try {
            ResponsePump started = pump(answering, answer, source);
            if (started == null) {
                discard(answering, source);
                return;
            }
            try {
                client.afterInterim(() -> endings.start(started));
            } finally {
                started.handedOver();
            }
        } catch (IOException | RuntimeException e) {
            endings.abandon(e, Answer.BROKEN.own());
        }
    }

    private static void discard(Try answering, Content.Source source) {
        new Discard(source, answering).run();
        answering.cancel(new IOException("nobody wants the answer any more"));
    }

    /** What carries the body; null where the container has taken the response back. */
    private @Nullable ResponsePump pump(Try answering, Response answer, Content.Source source) throws IOException {
        if (!client.presence().enter()) {
            return null;
        }
        try {
            boolean bodiless = ResponseHead.isBodiless(server.leg().method(), answer.getStatus());
            Head changed = head;
            long length = changed == null ? ResponseHead.length(answer) : changed.length();
            if (!bodiless) {
                Trailers.passOn(answer, incoming.request(), incoming.response(), length);
            }
            carrying = answering;
            overHttp2 = incoming.request().getProtocol().startsWith("HTTP/2") ? answer : null;
            return changed == null || bodiless || changed.transforms().isEmpty()
                    ? new ResponsePump(this, incoming.response(), source, length, bodiless)
                    : ResponsePump.transforming(
                            this,
                            incoming.response(),
                            source,
                            changed,
                            incoming.upstreams().executor());
        } finally {
            client.presence().leave();
        }
    }

    /** The answer failed after its head. */
    void answerFailed(Throwable cause) {
        if (client.take()) {
            endings.serverBrokeOff(cause);
        } else {
            // Who reads the body has all of it, or meets the failure by itself.
            endings.released();
        }
    }

    // A change of the protocol.

    /** Whether the server may change the protocol as it does. */
    boolean wants(Response upgrade) {
        Handshake asked = incoming.handshake();
        return asked != null && asked.isAgreedTo(upgrade.getHeaders());
    }

    /** The server has changed the protocol: its connection is joined to the client's, and HTTP ends. */
    void upgraded(Try answering, Upstream upstream, EndPoint connection) {
        Pick pick = answering.pick();
        EndPointEnd end = new EndPointEnd(connection, upstream.client().getExecutor(), () -> {});
        connection.upgrade(end);
        client.becomeTunnel();
        Tunnel opened = upstream.tunnels().open(end, pick.settings().tunnelIdleTimeout(), cause -> {
            pick.done(cause == null ? Outcome.status(101) : Outcome.broken(cause));
            client.tunnelEnded();
        });
        Handshake asked = incoming.handshake();
        if (asked == null
                || client.hasEnded()
                || !client.take()
                || !client.presence().enter()) {
            opened.close();
            return;
        }
        try {
            try {
                asked.take(incoming.request(), incoming.response(), opened);
            } finally {
                client.presence().leave();
            }
        } catch (IOException | RuntimeException e) {
            // In this order: the client is still to be told something, and the access log what that was.
            client.staysHttp();
            opened.close();
            endings.abandon(e, Answer.BROKEN.own());
            return;
        }
        AccessRecord record = incoming.record();
        if (record != null) {
            record.tunnelled(asked.status(), opened);
        }
        incoming.ends(End.TUNNEL);
        endings.end();
    }

    // What the pump asks and tells.

    @Override
    public boolean hasEnded() {
        return client.hasEnded();
    }

    @Override
    public boolean isCompleted() {
        return endings.isCompleted();
    }

    @Override
    public void moved() {
        server.moved();
    }

    @Override
    public boolean later(Runnable task) {
        Try from = carrying;
        return from != null && from.later(task);
    }

    @Override
    public void answerRead() {
        server.judge(Outcome.status(answeredStatus));
    }

    /**
     * Jetty hands the body's rest and the trailers over in one go, and sends the trailers before a body that has to wait
     * for the client's window.
     */
    @Override
    public boolean endsApart() {
        Response read = overHttp2;
        return read != null && read.getTrailers() != null;
    }

    @Override
    public void finish() {
        server.handedOver();
        endings.handedOver();
    }

    @Override
    public void serverBrokeOff(Throwable cause) {
        endings.serverBrokeOff(cause);
    }

    @Override
    public void notWritten(Throwable cause) {
        if (client.isCommitted()) {
            endings.clientGone(cause);
        } else {
            endings.abandon(cause, Answer.BROKEN.own());
        }
    }

    @Override
    public void pumpFailed(Throwable cause) {
        if (cause instanceof AnswerException refused) {
            endings.abandon(cause, refused.answer());
            return;
        }
        if (!client.hasEnded()) {
            log.warn("service '{}': an answer could not be carried on", incoming.service(), cause);
        }
        endings.abandon(cause, Answer.BROKEN.own());
    }

    @Override
    public void disconnect() {
        server.disconnect();
    }

    @Override
    public void letGo() {
        endings.letGo();
    }
}
