package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.MirrorCopy;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.limit.WaitingLine;
import io.fairlead.retry.Copies;
import io.fairlead.servlet.forward.ForbiddenAddressException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the tries of one exchange: chooses the server, or waits in its line for a place; sends the request, with its
 * copies for mirrors; sends it again where that may be; and lets copies of it race. When no try comes to an answer, the
 * exchange ends by one of the proxy's own.
 *
 * <p>Called by the container's thread, by those of Jetty's client and by the timer's. It keeps nothing itself: what is
 * under way is noted in the {@link ServerSide}, whose rules hold here.
 */
final class Tries {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    /** As long as Go's and Traefik's clients wait. */
    private static final long CONTINUE_WAIT_NANOS = 1_000_000_000;

    private final Exchange exchange;
    private final Incoming incoming;
    private final ClientSide client;
    private final ServerSide server;
    private final Endings endings;
    private final Upstreams upstreams;

    /** @param exchange what the tries are of; nothing is asked of it here */
    Tries(Exchange exchange, Incoming incoming, ClientSide client, ServerSide server, Endings endings) {
        this.exchange = exchange;
        this.incoming = incoming;
        this.client = client;
        this.server = server;
        this.endings = endings;
        this.upstreams = incoming.upstreams();
    }

    // The first server.

    /**
     * Chooses it, or a place in its line; the request may not be ready to be sent by then.
     *
     * @throws NoEndpointException there is none
     */
    WaitingLine.@Nullable Ticket first(Waiting waiting) {
        return server.leg().attempts().first(waiting);
    }

    /**
     * Where the request may have to wait in a line, or for its body, it is read from there by other threads: the
     * container's has done with it before.
     */
    void choose() {
        if (client.hasEnded()) {
            return;
        }
        Waiting waiting = new Waiting(this);
        WaitingLine.Ticket ticket;
        try {
            ticket = first(waiting);
        } catch (NoEndpointException e) {
            endings.answer(refusal(e));
            return;
        } catch (RuntimeException e) {
            log.warn("service '{}': no server could be chosen for a request", incoming.service(), e);
            endings.answer(Answer.BROKEN);
            return;
        }
        begin(waiting, ticket);
    }

    /** The request is ready to be sent. */
    void begin(Waiting waiting, WaitingLine.@Nullable Ticket ticket) {
        server.waitsIn(ticket);
        waiting.begin();
        if (ticket != null && client.hasEnded()) {
            ticket.leave();
        }
    }

    /** There is a place at a server. */
    void admitted(Pick first) {
        server.waitsIn(null);
        if (client.hasEnded()) {
            first.cancel();
        } else {
            send(first);
        }
    }

    /** A place was waited for in vain. Called by a thread that must not be kept waiting by a client. */
    void refused(NoEndpointException why) {
        if (client.isAsync() && !client.hasEnded()) {
            client.elsewhere(() -> endings.answer(refusal(why)));
        }
    }

    /** What is answered where there is no server. */
    Answer refusal(NoEndpointException why) {
        return why.isOverloaded()
                ? Answer.OVERLOADED
                : Answer.NO_SERVER.retryIn(incoming.balancer().nanosToNextServer());
    }

    /** Asks another service for what is answered; false when it cannot be asked. */
    boolean startPage(Head.Page wanted, AnswerHooks.Result replaced) {
        LoadBalancer pages = incoming.parts().services().get(wanted.service().toLowerCase(Locale.ROOT));
        if (pages == null) {
            return false;
        }
        Leg next = Leg.page(pages, incoming.facts(), wanted, replaced.head(), replaced.left());
        server.asksFor(next);
        Waiting waiting = new Waiting(this);
        WaitingLine.Ticket ticket;
        try {
            ticket = next.attempts().first(waiting);
        } catch (RuntimeException e) {
            log.debug("service '{}': no page could be had of '{}'", incoming.service(), wanted.service(), e);
            return false;
        }
        begin(waiting, ticket);
        return true;
    }

    // Sending.

    private void send(Pick pick) {
        if (incoming.parts().isStopping()) {
            pick.cancel();
            endings.answer(Answer.STOPPING);
            return;
        }
        Copies copies = incoming.handshake() == null ? server.leg().attempts().copies(server.sentBody() == null) : null;
        Race racing = copies == null
                ? null
                : new Race(copies, upstreams::later, copy -> send(copy, false), () -> endings.answer(Answer.BROKEN));
        server.races(racing);
        Try first = send(pick, true);
        if (racing != null && first != null) {
            racing.start(first);
        }
        if (client.hasEnded()) {
            // Whoever ended it may not have seen what was begun meanwhile.
            server.close();
        }
    }

    /**
     * Begins a try.
     *
     * @param first whether its failure to begin is that of the request, and not only of a copy
     * @return null when it did not begin
     */
    private @Nullable Try send(Pick pick, boolean first) {
        Try started;
        List<MirrorCopy> bodiless = List.of();
        MirroredRequest copied;
        Leg now = server.leg();
        try {
            Upstream upstream = upstreams.of(pick.settings());
            RequestBody sending = server.sentBody();
            if (!client.presence().enter()) {
                // What stands in the request by now may be another client's.
                pick.cancel();
                return null;
            }
            UpstreamRequest toSend;
            try {
                copied = first && incoming.handshake() == null && !now.isPage() ? server.mirrored(pick) : null;
                started = new Try(exchange, pick, upstream, now, tryLimit());
                if (first) {
                    server.dependsOn(started);
                    record(pick, now);
                }
                toSend = incoming.toServer(now, pick, upstream.client(), started, sending != null);
            } finally {
                client.presence().leave();
            }
            if (sending != null && !addBody(toSend, sending, started, now, copied)) {
                pick.cancel();
                // If the client broke its body off in this moment, the one who saw it answers.
                if (!sending.hasFailed()) {
                    endings.answer(Answer.BROKEN);
                }
                return null;
            }
            if (copied != null) {
                bodiless = copied.takeBodiless();
            }
            started.start(toSend);
        } catch (RuntimeException e) {
            pick.cancel();
            bodiless.forEach(MirrorCopy::drop);
            log.warn("service '{}': a request could not be sent", incoming.service(), e);
            if (first) {
                endings.answer(Answer.BROKEN);
            }
            return null;
        }
        if (client.hasEnded() && (!first || !endings.isDone())) {
            started.cancel(new IOException("the client is gone"));
        }
        if (copied != null) {
            copied.send(bodiless);
        }
        return started;
    }

    private void record(Pick pick, Leg now) {
        AccessRecord record = incoming.record();
        if (record != null && !now.isPage()) {
            record.trying(pick.endpoint().uri().toString());
        }
    }

    private Duration tryLimit() {
        long nanos = server.leg().attempts().tryLimitNanos();
        // To the millisecond, and never to none.
        return nanos == Long.MAX_VALUE ? Duration.ZERO : Duration.ofMillis(nanos / 1_000_000 + 1);
    }

    /** Gives a request its body, from the beginning; false when that is gone. */
    private boolean addBody(
            UpstreamRequest toSend, RequestBody sending, Try started, Leg now, @Nullable MirroredRequest copied) {
        int kept = Math.max(
                now.attempts().policy(started.pick()).bufferBody(),
                incoming.routed().buffered());
        RequestBody.Reading reading = sending.read(started, kept);
        if (reading == null) {
            return false;
        }
        toSend.body(copied == null ? reading : copied.collect(reading));
        if (sending.length() < 0) {
            // Jetty's client would send a body in chunks for their sake, whose length is known.
            toSend.trailersSupplier(sending::trailers);
        }
        if (sending.isToBeAskedFor()) {
            toSend.expectContinue();
        }
        return true;
    }

    // What a try tells. Called by threads of Jetty's client.

    /** It has a connection. */
    void connected() {
        AccessRecord record = incoming.record();
        if (record != null && !server.leg().isPage()) {
            record.connected();
        }
    }

    /** The request's head is on its way: what a server says to an Expect is not waited for any longer than this. */
    void begun() {
        RequestBody waiting = server.sentBody();
        if (waiting != null && waiting.isToBeAskedFor()) {
            upstreams.later(waiting::ask, CONTINUE_WAIT_NANOS);
        }
    }

    /** The server asks for the body. */
    void askedForBody() {
        RequestBody waiting = server.sentBody();
        if (waiting != null && waiting.isToBeAskedFor()) {
            // Not by this thread: the container writes what the client is told, and may block.
            upstreams.later(waiting::ask, 0);
        }
    }

    /** It ended without an answer. */
    void failed(Try failed, Outcome outcome) {
        Race racing = server.race();
        if (client.hasEnded() || !failed.isOf(server.leg())) {
            failed.pick().cancel();
            return;
        }
        if (incoming.parts().isStopping()) {
            // It is the proxy that has given it up, and nothing is sent again.
            failed.pick().cancel();
            endings.answer(Answer.STOPPING);
            return;
        }
        if (racing != null && !racing.failed(failed, outcome)) {
            return;
        }
        Answer own = failed.isOverloaded() ? Answer.OVERLOADED : answerTo(outcome);
        boolean again;
        try {
            again = server.leg().attempts().failed(outcome, server.canSendBody());
        } catch (RuntimeException e) {
            failed.pick().cancel();
            notChosen(e);
            return;
        }
        if (again) {
            goOn(own);
        } else {
            endings.answer(own);
        }
    }

    /** Whether the exchange depends on this try, whose answer has come: not when a copy has been answered before. */
    boolean takes(Try answering) {
        return server.takes(answering);
    }

    /** Whether an answer is not passed on, since the request is sent again. */
    boolean refuses(Try answering, Response head) {
        if (server.leg().attempts().policy(answering.pick()).statuses().isEmpty() || client.hasEnded()) {
            return false;
        }
        HttpFields fields = head.getHeaders();
        try {
            if (!server.leg()
                    .attempts()
                    .answered(
                            head.getStatus(),
                            fields.get(HttpHeader.RETRY_AFTER),
                            fields.get(HttpHeader.DATE),
                            server.canSendBody())) {
                return false;
            }
        } catch (RuntimeException e) {
            answering.pick().cancel();
            answering.refuse();
            notChosen(e);
            return true;
        }
        answering.refuse();
        goOn(Answer.NO_SERVER);
        return true;
    }

    // Sending again.

    /** Sends the request again, now or after a while; no thread waits. */
    private void goOn(Answer ifNoServerIsLeft) {
        long delay = server.leg().attempts().delayNanos();
        if (delay == 0) {
            sendAgain(ifNoServerIsLeft);
        } else {
            upstreams.laterUnlessClosed(() -> sendAgain(ifNoServerIsLeft), delay);
        }
    }

    private void sendAgain(Answer ifNoServerIsLeft) {
        if (client.hasEnded()) {
            server.leg().attempts().cancel();
            return;
        }
        if (incoming.parts().isStopping()) {
            server.leg().attempts().cancel();
            endings.answer(Answer.STOPPING);
            return;
        }
        Pick next;
        try {
            next = server.leg().attempts().proceed();
        } catch (RuntimeException e) {
            notChosen(e);
            return;
        }
        if (next != null) {
            send(next);
        } else {
            endings.answer(ifNoServerIsLeft);
        }
    }

    /** The choice of the next server failed, which may be by code that is not ours: there is no other try. */
    private void notChosen(RuntimeException cause) {
        log.warn("service '{}': no server could be chosen to send a request again", incoming.service(), cause);
        endings.answer(Answer.BROKEN);
    }

    private static Answer answerTo(Outcome outcome) {
        if (outcome.cause() instanceof ForbiddenAddressException) {
            return Answer.NOT_FORWARDED;
        }
        boolean late = outcome.kind() == Outcome.Kind.TIMED_OUT
                || outcome.cause() instanceof SocketTimeoutException
                || outcome.cause() instanceof TimeoutException;
        return late ? Answer.TIMED_OUT : Answer.BROKEN;
    }
}
