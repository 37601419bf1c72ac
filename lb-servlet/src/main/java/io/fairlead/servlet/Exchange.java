package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.NoEndpointException;
import io.fairlead.limit.WaitingLine;
import io.fairlead.servlet.container.ClientWatch;
import io.fairlead.servlet.middleware.OwnAnswer;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One request's way: from the container's thread, which leaves at once, through the tries on servers, to the end of the
 * answer. No thread waits for anything on the way.
 *
 * <p>It ends once: by an answer carried through, an answer of the proxy's own, an answer broken off, or a client that is
 * gone. Whoever ends it has {@linkplain ClientSide#win() won} that; the others do nothing.
 *
 * <p>Here it begins. The way itself is that of the parts, each of which calls only those before it:
 *
 * <ol>
 *   <li>{@link Incoming}: what has come, and is settled;
 *   <li>{@link ClientSide}: the container's request and response, and who has won them;
 *   <li>{@link OwnAnswers}: the writing of answers of the proxy's own;
 *   <li>{@link ServerSide}: what is asked, and the tries that are under way;
 *   <li>{@link Endings}: how all of it ends;
 *   <li>{@link Tries}: which server is asked, and which after it;
 *   <li>{@link AnswerRelay}: a server's answer on its way to the client.
 * </ol>
 *
 * <p>But for one call: an end may be put off by a page of another service, for which there are tries once more.
 *
 * <p>Begun by the container's thread; what the {@link ClientWatch} asks may be asked by any.
 */
final class Exchange extends ClientWatch.Waiting {
    private final Incoming incoming;
    private final ClientSide client;
    private final OwnAnswers ownAnswers;
    private final Endings endings;
    private final Tries tries;
    private final AnswerRelay relay;

    Exchange(
            HttpServletRequest request,
            HttpServletResponse response,
            ServletFacts facts,
            LoadBalancer balancer,
            Routed routed,
            ProxyParts parts,
            @Nullable AccessRecord record) {
        incoming = Incoming.of(request, response, facts, balancer, routed, parts, record);
        client = new ClientSide(incoming);
        ownAnswers = new OwnAnswers(incoming, client);
        ServerSide server = new ServerSide(incoming, client);
        endings = new Endings(this, incoming, client, ownAnswers, server);
        tries = new Tries(this, incoming, client, server, endings);
        relay = new AnswerRelay(incoming, client, server, endings);
        if (record != null) {
            routed.onEnd(() -> record.close(response, client.body()));
        }
    }

    /** Is told how tries go, up to the head of an answer. */
    Tries tries() {
        return tries;
    }

    /** Is told of the answer of the try that has one. */
    AnswerRelay relay() {
        return relay;
    }

    /** Is told what ends the exchange. */
    Endings endings() {
        return endings;
    }

    /** Sends the request on its way; called by the container's thread. */
    void start() throws IOException {
        WaitingLine line = incoming.balancer().waitingLine();
        if (incoming.routed().buffered() > 0) {
            startReading();
            return;
        }
        if (line != null && line.isOpen()) {
            startAsync();
            tries.choose();
            return;
        }
        Waiting waiting = new Waiting(tries);
        WaitingLine.Ticket ticket;
        try {
            ticket = tries.first(waiting);
        } catch (NoEndpointException e) {
            answerAtOnce(tries.refusal(e).own());
            return;
        }
        try {
            startAsync();
        } catch (IOException | RuntimeException e) {
            waiting.giveUp(ticket);
            throw e;
        }
        tries.begin(waiting, ticket);
    }

    /**
     * Answers without a server; called by the container's thread, in place of {@link #start()} or before it has made the
     * request asynchronous.
     */
    void answerAtOnce(OwnAnswer own) throws IOException {
        AnswerHooks.Result result = incoming.hooks().run(incoming.head(own));
        client.leaveBody();
        if (result.page() == null && ownAnswers.isTakenAtOnce(result.head())) {
            ownAnswers.writeAtOnce(result.head());
        } else {
            // The thread may be one that has other connections to look after.
            client.becomeAsync(endings);
            endings.answer(result, true);
        }
    }

    /** The body is read, as far as it is to be, before a server is chosen. */
    private void startReading() throws IOException {
        startAsync();
        RequestBody reading = client.body();
        if (reading == null) {
            tries.choose();
        } else {
            // No server knows of it, by whose requests it would be seen that the client has left.
            incoming.upstreams().reads(this);
            reading.fill(incoming.routed().buffered(), () -> {
                incoming.upstreams().hasRead(this);
                tries.choose();
            });
        }
    }

    private void startAsync() throws IOException {
        client.becomeAsync(endings);
        client.readBody(endings::bodyFailed);
    }

    // What the watch asks that sees which clients have left.

    @Override
    protected ServletRequest request() {
        return incoming.request();
    }

    @Override
    protected boolean isReadWhole() {
        return client.isReadWhole();
    }

    @Override
    protected boolean isOver() {
        return client.hasEnded();
    }

    @Override
    protected void left() {
        endings.clientLeft();
    }

    @Override
    protected void hasCome() {
        RequestBody body = client.body();
        if (body != null) {
            body.onDataAvailable();
        }
    }
}
