package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.MirrorCopies;
import io.fairlead.MirrorCopy;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.limit.WaitingLine;
import io.fairlead.retry.Copies;
import io.fairlead.servlet.container.AnswerHeadLimit;
import io.fairlead.servlet.container.ClientWatch;
import io.fairlead.servlet.container.EarlyHints;
import io.fairlead.servlet.container.StreamEnd;
import io.fairlead.servlet.forward.ForbiddenAddressException;
import io.fairlead.servlet.log.AccessEntry.End;
import io.fairlead.servlet.middleware.AnswerException;
import io.fairlead.servlet.middleware.OwnAnswer;
import io.fairlead.servlet.tunnel.EndPointEnd;
import io.fairlead.servlet.tunnel.Tunnel;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request's way: from the container's thread, which leaves at once, through the tries on servers, to the end of the
 * answer. No thread waits for anything on the way.
 *
 * <p>It ends once: by an answer carried through, an answer of the proxy's own, an answer broken off, or a client that is
 * gone. Whoever ends it has won {@link #ended}; the others do nothing.
 */
final class Exchange extends ClientWatch.Waiting implements AsyncListener {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    /** As long as Go's and Traefik's clients wait. */
    private static final long CONTINUE_WAIT_NANOS = 1_000_000_000;

    /** What nginx and Traefik write in their logs for a client that has gone without an answer. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    /** So much the container's buffers take at once. */
    private static final int DIRECT_BYTES = 4 * 1024;

    /** So large a head every container sends. */
    private static final int ANY_HEAD_BYTES = 4 * 1024;

    private static final int HANDED_OVER = 1;
    private static final int RELEASED = 2;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final ServletFacts facts;
    // Read at once: the container may take the request back before an answer is made.
    private final String method;
    private final boolean isHttp10;
    private final LoadBalancer balancer;
    private final Routed routed;
    private final AnswerHooks hooks;
    private final ProxyParts parts;
    private final Trust trust;
    private final Upstreams upstreams;
    private final ResponseBreaker breaker;
    /** Null: the request opens no WebSocket. */
    private final @Nullable Handshake handshake;
    /** Null: there is no access log. */
    private final @Nullable AccessRecord record;

    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger done = new AtomicInteger();

    // Set by the container's thread, before any other knows of the exchange.
    private @Nullable AsyncContext async;
    private @Nullable RequestBody body;
    private boolean hasBody;

    /** What is asked of which service; changes once at the most, when a page of another service is wanted. */
    private volatile Leg leg;

    /** As hooks have left it; null: there are none. */
    private volatile @Nullable Head head;

    /** What the server said, whatever the client is told. */
    private volatile int answeredStatus;

    /** In the line of those that wait for a place at a server. */
    private volatile WaitingLine.@Nullable Ticket place;

    private volatile @Nullable Try current;
    /** Of the current try, where it may have copies. */
    private volatile @Nullable Race race;

    private volatile @Nullable ResponsePump pump;
    /** The copies for mirrors; null: there are none to be made. */
    private volatile @Nullable MirroredRequest mirrored;

    /** The server has announced an answer; null: it has not. */
    private volatile @Nullable InterimWrites interimWrites;

    private volatile boolean completed;
    /** What was sent of the body of an answer of the proxy's own; -1: none was given. */
    private volatile int ownLength = -1;

    /** The client had gone before it was told anything, whatever was written then. */
    private volatile boolean leftUnanswered;

    private volatile boolean tunnelled;
    /** Where HTTP has ended and the request lives on. */
    private volatile @Nullable Tunnel tunnel;
    /** What the client was told then: by the end of the tunnel the container has taken the response back. */
    private volatile int upgradedStatus;

    /** Whether somebody has taken it upon him to write the response: the answer's pump, or who answers in its stead. */
    private final AtomicBoolean responseTaken = new AtomicBoolean();

    /** What is still to be done of an end before the regular one. */
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();

    Exchange(
            HttpServletRequest request,
            HttpServletResponse response,
            ServletFacts facts,
            LoadBalancer balancer,
            Routed routed,
            ProxyParts parts,
            @Nullable AccessRecord record) {
        this.request = request;
        this.response = response;
        this.facts = facts;
        this.balancer = balancer;
        this.routed = routed;
        this.method = facts.method();
        this.isHttp10 = request.getProtocol().equals("HTTP/1.0");
        this.hooks = new AnswerHooks(routed.hooks(), method, balancer.name());
        this.parts = parts;
        this.trust = parts.trust();
        this.upstreams = parts.upstreams();
        this.breaker = parts.breaker();
        this.handshake = Handshake.of(request, parts.takeover());
        this.leg = Leg.of(balancer, facts, routed);
        this.record = record;
        if (record != null) {
            routed.onEnd(() -> close(record));
        }
    }

    private void close(AccessRecord ending) {
        Tunnel joined = tunnel;
        if (joined != null) {
            ending.close(upgradedStatus, joined.bytesToServer(), joined.bytesToClient());
            return;
        }
        RequestBody read = body;
        int told = toldStatus(ending);
        ending.close(
                told == 0 ? CLIENT_CLOSED_REQUEST : told, read == null ? 0 : read.taken(), told == 0 ? 0 : sentBytes());
    }

    /** The status that the client was told; 0: it had gone before. */
    private int toldStatus(AccessRecord ending) {
        try {
            boolean told = !leftUnanswered && (response.isCommitted() || !ending.isClientGone());
            return told ? response.getStatus() : 0;
        } catch (RuntimeException e) {
            // The container has taken it away.
            return 0;
        }
    }

    private long sentBytes() {
        if (ownLength >= 0) {
            // Nothing of a server's was sent before it.
            return ownLength;
        }
        ResponsePump written = pump;
        return written == null ? 0 : written.written();
    }

    private void ends(End how) {
        if (record != null) {
            record.ends(how);
        }
    }

    /** A try has a connection. */
    void connected() {
        if (record != null) {
            record.connected();
        }
    }

    /** Sends the request on its way; called by the container's thread. */
    void start() throws IOException {
        WaitingLine line = balancer.waitingLine();
        if (routed.buffered() > 0) {
            startReading();
            return;
        }
        if (line != null && line.isOpen()) {
            startAsync();
            choose();
            return;
        }
        Waiting waiting = new Waiting(this);
        WaitingLine.Ticket ticket;
        try {
            ticket = leg.attempts().first(waiting);
        } catch (NoEndpointException e) {
            answerAtOnce(refusal(e).own());
            return;
        }
        try {
            startAsync();
        } catch (IOException | RuntimeException e) {
            waiting.giveUp(ticket);
            throw e;
        }
        begin(waiting, ticket);
    }

    /**
     * Answers without a server; called by the container's thread, in place of {@link #start()} or before it has made the
     * request asynchronous.
     */
    void answerAtOnce(OwnAnswer own) throws IOException {
        AnswerHooks.Result result = hooks.run(ownHead(own));
        hasBody = RequestBody.isPresent(request);
        if (result.page() == null && isTakenAtOnce(result.head())) {
            ends(End.OWN_ANSWER);
            ownLength = result.head().writeTo(response, false);
            routed.end();
        } else {
            // The thread may be one that has other connections to look after.
            becomeAsync();
            end(result, true);
        }
    }

    /** The body is read, as far as it is to be, before a server is chosen. */
    private void startReading() throws IOException {
        startAsync();
        RequestBody reading = body;
        if (reading == null) {
            choose();
        } else {
            reading.fill(routed.buffered(), this::choose);
        }
    }

    /**
     * Where the request may have to wait in a line, or for its body, it is read from there by other threads: the
     * container's has done with it before.
     */
    private void choose() {
        if (ended.get()) {
            return;
        }
        Waiting waiting = new Waiting(this);
        WaitingLine.Ticket ticket;
        try {
            ticket = leg.attempts().first(waiting);
        } catch (NoEndpointException e) {
            answer(refusal(e));
            return;
        } catch (RuntimeException e) {
            log.warn("service '{}': no server could be chosen for a request", balancer.name(), e);
            answer(Answer.BROKEN);
            return;
        }
        begin(waiting, ticket);
    }

    private void becomeAsync() {
        AsyncContext started = request.startAsync(request, response);
        started.setTimeout(0);
        started.addListener(this);
        async = started;
    }

    private void startAsync() throws IOException {
        becomeAsync();
        body = handshake == null ? RequestBody.of(request, routed.maxBody(), this::bodyFailed) : null;
        if (body != null) {
            hasBody = true;
            body.listen();
        }
    }

    private void begin(Waiting waiting, WaitingLine.@Nullable Ticket ticket) {
        place = ticket;
        waiting.begin();
        if (ticket != null && ended.get()) {
            ticket.leave();
        }
    }

    /** There is a place at a server. */
    void admitted(Pick first) {
        place = null;
        if (ended.get()) {
            first.cancel();
        } else {
            send(first);
        }
    }

    /** A place was waited for in vain. Called by a thread that must not be kept waiting by a client. */
    void refused(NoEndpointException why) {
        AsyncContext context = async;
        if (context != null && !ended.get()) {
            elsewhere(() -> answer(refusal(why)));
        }
    }

    /** The client's body, where it belongs to what is asked now. */
    private @Nullable RequestBody sentBody() {
        return leg.isPage() ? null : body;
    }

    private Answer refusal(NoEndpointException why) {
        return why.isOverloaded() ? Answer.OVERLOADED : Answer.NO_SERVER.retryIn(balancer.nanosToNextServer());
    }

    private void send(Pick pick) {
        Copies copies = handshake == null ? leg.attempts().copies(sentBody() == null) : null;
        Race racing = copies == null
                ? null
                : new Race(copies, upstreams::later, copy -> send(copy, false), () -> answer(Answer.BROKEN));
        race = racing;
        Try first = send(pick, true);
        if (racing != null && first != null) {
            racing.start(first);
        }
        if (ended.get()) {
            // Whoever ended it may not have seen what was begun meanwhile.
            closeBody();
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
        Leg now = leg;
        Handshake opening = now.isPage() ? null : handshake;
        try {
            copied = first && handshake == null && !now.isPage() ? mirrored(pick) : null;
            Upstream upstream = upstreams.of(pick.settings());
            started = new Try(this, pick, upstream, now, tryLimit());
            if (first) {
                current = started;
            }
            if (first && record != null && !now.isPage()) {
                record.trying(pick.endpoint().uri().toString());
            }
            UpstreamRequest toSend = new UpstreamRequest(
                    upstream.client(),
                    started,
                    pick.endpoint(),
                    opening == null ? now.method() : opening.method(),
                    UpstreamTarget.path(pick.endpoint(), now.path()),
                    UpstreamTarget.query(pick.endpoint(), now.query()));
            RequestBody sending = sentBody();
            RequestFields fields = new RequestFields(request, trust, sending != null, routed.strippedPrefix());
            toSend.headers(mutable -> {
                fields.addTo(mutable, pick);
                routed.edits().applyTo(mutable, sending != null);
                if (now.isPage()) {
                    Leg.removeWhatIsNotOfPages(mutable);
                }
            });
            if (opening != null) {
                toSend.headers(opening::addTo);
                toSend.mayUpgrade();
            }
            if (now.attempts().needsFreshConnection()
                    || pick.settings().transport().maxIdleConnsPerHost() < 0) {
                toSend.onFreshConnection();
            }
            if (sending != null) {
                RequestBody.Reading reading = sending.read(
                        started, Math.max(now.attempts().policy(pick).bufferBody(), routed.buffered()));
                if (reading == null) {
                    pick.cancel();
                    // If the client broke its body off in this moment, the one who saw it answers.
                    if (!sending.hasFailed()) {
                        answer(Answer.BROKEN);
                    }
                    return null;
                }
                toSend.body(copied == null ? reading : copied.collect(reading));
                if (sending.length() < 0) {
                    // Jetty's client would send a body in chunks for their sake, whose length is known.
                    toSend.trailersSupplier(sending::trailers);
                }
                if (sending.isToBeAskedFor()) {
                    toSend.expectContinue();
                }
            }
            if (copied != null) {
                bodiless = copied.takeBodiless();
            }
            started.start(toSend);
        } catch (RuntimeException e) {
            pick.cancel();
            bodiless.forEach(MirrorCopy::drop);
            log.warn("service '{}': a request could not be sent", balancer.name(), e);
            if (first) {
                answer(Answer.BROKEN);
            }
            return null;
        }
        if (ended.get() && (!first || !isDone())) {
            started.cancel(new IOException("the client is gone"));
        }
        if (copied != null) {
            copied.send(bodiless);
        }
        return started;
    }

    private Duration tryLimit() {
        long nanos = leg.attempts().tryLimitNanos();
        // To the millisecond, and never to none.
        return nanos == Long.MAX_VALUE ? Duration.ZERO : Duration.ofMillis(nanos / 1_000_000 + 1);
    }

    /** The copies that are to be made beside this try and those before. */
    private @Nullable MirroredRequest mirrored(Pick pick) {
        MirroredRequest before = mirrored;
        MirrorCopies copies = pick.copies(before == null ? null : before.copies());
        if (copies == null) {
            return null;
        }
        MirroredRequest now = before;
        if (now == null) {
            now = MirroredRequest.of(request, facts, routed, trust, body, copies, upstreams.mirrors());
            mirrored = now;
        }
        now.takeCopies();
        return now;
    }

    boolean hasEnded() {
        return ended.get();
    }

    // What the watch asks that sees which clients have left.

    @Override
    protected ServletRequest request() {
        return request;
    }

    @Override
    protected boolean isReadWhole() {
        RequestBody reading = body;
        return reading == null || reading.isReadWhole();
    }

    @Override
    protected boolean isOver() {
        return ended.get();
    }

    @Override
    protected void left() {
        abandon(new Ending(new EOFException("the client has closed its connection"), null, false, true));
    }

    /** Whether the container has no more use for anything that it was given. */
    boolean isCompleted() {
        return completed;
    }

    // What the tries tell. Called by threads of Jetty's client.

    /** The request's head is on its way: what a server says to an Expect is not waited for any longer than this. */
    void begun() {
        RequestBody waiting = sentBody();
        if (waiting != null && waiting.isToBeAskedFor()) {
            upstreams.later(waiting::ask, CONTINUE_WAIT_NANOS);
        }
    }

    /** The server asks for the body. */
    void askedForBody() {
        RequestBody waiting = sentBody();
        if (waiting != null && waiting.isToBeAskedFor()) {
            // Not by this thread: the container writes what the client is told, and may block.
            upstreams.later(waiting::ask, 0);
        }
    }

    /**
     * The server announces an answer: the client is told, where the container can without waiting for him. Not while
     * servers race, nor before the client has been asked for a body that he keeps back: then it is swallowed.
     */
    void announced(Try announcing, Response interim) {
        boolean passedOn = race == null
                && handshake == null
                && announcing.isOf(leg)
                && !leg.isPage()
                && !isHttp10
                && (body == null || !body.isToBeAskedFor());
        if (!passedOn) {
            return;
        }
        InterimWrites writes = interimWrites;
        if (writes == null) {
            writes = new InterimWrites();
            interimWrites = writes;
        }
        if (!writes.begin()) {
            return;
        }
        // Whoever ends the exchange from here on waits for the write.
        boolean begun = !ended.get()
                && EarlyHints.write(
                        response,
                        interim.getStatus(),
                        fields -> ResponseHead.forEach(
                                interim,
                                trust.via(),
                                rewriting(announcing),
                                (name, known, value) -> fields.accept(name, value)),
                        writes::end);
        if (!begun) {
            writes.end();
        }
    }

    /** A try ended without an answer. */
    void failed(Try failed, Outcome outcome) {
        Race racing = race;
        if (ended.get() || !failed.isOf(leg)) {
            failed.pick().cancel();
            return;
        }
        if (racing != null && !racing.failed(failed, outcome)) {
            return;
        }
        Answer own = failed.isOverloaded() ? Answer.OVERLOADED : answerTo(outcome);
        boolean again;
        try {
            again = leg.attempts().failed(outcome, canSendBody());
        } catch (RuntimeException e) {
            failed.pick().cancel();
            notChosen(e);
            return;
        }
        if (again) {
            goOn(own);
        } else {
            answer(own);
        }
    }

    private boolean canSendBody() {
        RequestBody sending = sentBody();
        return sending == null || sending.isReplayable();
    }

    /** Whether the exchange depends on this try, whose answer has come: not when a copy has been answered before. */
    boolean takes(Try answering) {
        // In this order: a race that has gone is gone after its leg.
        Race racing = race;
        if (!answering.isOf(leg) || (racing != null && !racing.won(answering))) {
            return false;
        }
        current = answering;
        return true;
    }

    /** Whether an answer is not passed on, since the request is sent again. */
    boolean refuses(Try answering, Response head) {
        if (leg.attempts().policy(answering.pick()).statuses().isEmpty() || ended.get()) {
            return false;
        }
        HttpFields fields = head.getHeaders();
        try {
            if (!leg.attempts()
                    .answered(
                            head.getStatus(),
                            fields.get(HttpHeader.RETRY_AFTER),
                            fields.get(HttpHeader.DATE),
                            canSendBody())) {
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

    /** Sends the request again, now or after a while; no thread waits. */
    private void goOn(Answer ifNoServerIsLeft) {
        long delay = leg.attempts().delayNanos();
        if (delay == 0) {
            sendAgain(ifNoServerIsLeft);
        } else {
            upstreams.later(() -> sendAgain(ifNoServerIsLeft), delay);
        }
    }

    private void sendAgain(Answer ifNoServerIsLeft) {
        if (ended.get()) {
            leg.attempts().cancel();
            return;
        }
        Pick next;
        try {
            next = leg.attempts().proceed();
        } catch (RuntimeException e) {
            notChosen(e);
            return;
        }
        if (next != null) {
            send(next);
        } else {
            answer(ifNoServerIsLeft);
        }
    }

    /** The choice of the next server failed, which may be by code that is not ours: there is no other try. */
    private void notChosen(RuntimeException cause) {
        log.warn("service '{}': no server could be chosen to send a request again", balancer.name(), cause);
        answer(Answer.BROKEN);
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

    /** The head of an answer is there. */
    void answered(Try answering, Response answer) {
        answeredStatus = answer.getStatus();
        if (record != null && !leg.isPage()) {
            record.answered(answering.pick().endpoint().uri().toString(), answer.getStatus());
        }
        try {
            if (hooks.isEmpty() && !leg.isPage()) {
                HttpFields fields = answer.getHeaders();
                checkSize(answering, ResponseHead.size(fields), () -> ResponseHead.largest(fields));
                synchronized (this) {
                    if (!ended.get()) {
                        ResponseHead.copy(answer, response, trust.via(), rewriting(answering));
                        for (String cookie : answering.pick().setCookies()) {
                            response.addHeader("Set-Cookie", cookie);
                        }
                    }
                }
            } else {
                answeredWithHooks(answering, answer);
            }
        } catch (RuntimeException e) {
            // The container has taken the response away, or will not have this head.
            abandon(new Ending(e, Answer.BROKEN.own(), false));
            answering.cancel(e);
        }
    }

    /**
     * Whether the container sends a head of this size. It would say so only when it is too late for another answer.
     *
     * @throws IllegalStateException it does not
     */
    private void checkSize(Try answering, int bytes, IntSupplier ofLargest) {
        if (bytes <= ANY_HEAD_BYTES) {
            return;
        }
        int limit = AnswerHeadLimit.of(request);
        int limitOfOne = AnswerHeadLimit.ofField(request);
        int largest = ofLargest.getAsInt();
        if (bytes > limit || largest > limitOfOne) {
            log.warn(
                    "service '{}': {} of an answer of {} has {} bytes, more than the {} that this container sends",
                    balancer.name(),
                    bytes > limit ? "the head" : "a field",
                    answering.pick().endpoint().uri(),
                    bytes > limit ? bytes : largest,
                    bytes > limit ? limit : limitOfOne);
            throw new IllegalStateException("the head of the answer is too large for the container");
        }
    }

    /** What is translated in an answer; of the pages of other services nothing, since the client did not ask for them. */
    private @Nullable Rewriting rewriting(Try answering) {
        return leg.isPage() ? null : Rewriting.of(answering.pick(), facts, routed.changes());
    }

    private void answeredWithHooks(Try answering, Response answer) {
        Head replaced = leg.replaced();
        int status = replaced == null ? answer.getStatus() : replaced.status();
        Head shown = Head.of(
                answer,
                method,
                status,
                trust.via(),
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
            answering.refuse(() -> end(result, page));
            return;
        }
        checkSize(answering, result.head().size(), result.head()::largest);
        synchronized (this) {
            if (!ended.get()) {
                head = result.head();
                result.head().copyTo(response);
            }
        }
    }

    /** Whether the server may change the protocol as it does. */
    boolean wants(Response upgrade) {
        return handshake != null && handshake.isAgreedTo(upgrade.getHeaders());
    }

    /** The server has changed the protocol: its connection is joined to the client's, and HTTP ends. */
    void upgraded(Try answering, Upstream upstream, EndPoint connection) {
        Pick pick = answering.pick();
        EndPointEnd server = new EndPointEnd(connection, upstream.client().getExecutor(), () -> {});
        connection.upgrade(server);
        tunnelled = true;
        Tunnel opened = upstream.tunnels().open(server, pick.settings().tunnelIdleTimeout(), cause -> {
            pick.done(cause == null ? Outcome.status(101) : Outcome.broken(cause));
            routed.end();
        });
        Handshake asked = handshake;
        if (asked == null || ended.get() || !responseTaken.compareAndSet(false, true)) {
            opened.close();
            return;
        }
        try {
            asked.take(request, response, opened);
            upgradedStatus = response.getStatus();
            tunnel = opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            abandon(new Ending(e, Answer.BROKEN.own(), false));
            return;
        }
        ends(End.TUNNEL);
        end();
    }

    /** The body of the answer can be read. */
    void body(Try answering, Response answer, Content.Source source) {
        if (ended.get() || !responseTaken.compareAndSet(false, true)) {
            new Discard(source, answering).run();
            answering.cancel(new IOException("nobody wants the answer any more"));
            return;
        }
        try {
            boolean bodiless = ResponseHead.isBodiless(leg.method(), answer.getStatus());
            Head changed = head;
            long length = changed == null ? ResponseHead.length(answer) : changed.length();
            if (!bodiless) {
                Trailers.passOn(answer, request, response, length);
            }
            ResponsePump started =
                    changed == null || bodiless || changed.transforms().isEmpty()
                            ? new ResponsePump(this, response, source, length, bodiless)
                            : ResponsePump.transforming(this, response, source, changed, upstreams.executor());
            InterimWrites.afterwards(interimWrites, () -> {
                pump = started;
                started.wake();
            });
        } catch (IOException | RuntimeException e) {
            abandon(new Ending(e, Answer.BROKEN.own(), false));
        }
    }

    /** The answer failed after its head. */
    void answerFailed(Throwable cause) {
        if (responseTaken.compareAndSet(false, true)) {
            serverBrokeOff(cause);
        } else {
            // Who reads the body has all of it, or meets the failure by itself.
            released();
        }
    }

    /** Nothing of the answer has moved for so long that it is not waited for any more. */
    void stoodStill() {
        abandon(new Ending(new TimeoutException("the answer stood still"), Answer.TIMED_OUT.own(), false));
    }

    /** Nothing more of the client's body has come for so long that it is not waited for any more. */
    void clientStoodStill() {
        abandon(new Ending(new TimeoutException("the body stood still"), Answer.SLOW_BODY.own(), false));
    }

    // What the pump tells.

    /** The answer has been read to its end. */
    void answerRead() {
        Try answering = current;
        if (answering != null) {
            answering.pick().done(Outcome.status(answeredStatus));
        }
    }

    /** The answer has been handed to the container whole. */
    void finish() {
        Try answering = current;
        RequestBody sending = sentBody();
        if (answering != null && sending != null) {
            // The answer came early, or the request's end is still being written.
            if (sending.isReadWhole()) {
                answering.limitRelease();
            } else {
                answering.cancel(new IOException("the answer came before the end of the request"));
            }
        }
        part(HANDED_OVER);
    }

    /** The server's connection has been given back: the client's next request will find it. */
    void released() {
        part(RELEASED);
    }

    private void part(int part) {
        if (done.accumulateAndGet(part, (before, now) -> before | now) == (HANDED_OVER | RELEASED)) {
            end();
        }
    }

    /** Whether the answer has been carried through. */
    private boolean isDone() {
        return done.get() == (HANDED_OVER | RELEASED);
    }

    private void end() {
        if (ended.compareAndSet(false, true)) {
            ends(End.COMPLETE);
            closeBody();
            complete();
        }
    }

    /** Nobody wants the answer any more: nothing more of it is to come. */
    void disconnect() {
        Try answering = current;
        if (answering != null) {
            answering.disconnect();
        }
    }

    /** Some of the answer has come, or has been taken. */
    void moved() {
        Try answering = current;
        if (answering != null) {
            answering.moved();
        }
    }

    /** The server broke off in the middle of its answer: the client must see that, too. */
    void serverBrokeOff(Throwable cause) {
        abandon(new Ending(cause, Answer.BROKEN.own(), true));
    }

    /** The container could not write the answer: because of its head, or else since the client is gone. */
    void notWritten(Throwable cause) {
        if (isCommitted()) {
            clientGone(cause);
        } else {
            abandon(new Ending(cause, Answer.BROKEN.own(), false));
        }
    }

    /** The answer cannot be carried on, for a reason that is neither the client's nor the server's. */
    void pumpFailed(Throwable cause) {
        if (cause instanceof AnswerException refused) {
            abandon(new Ending(cause, refused.answer(), false));
            return;
        }
        if (!ended.get()) {
            log.warn("service '{}': an answer could not be carried on", balancer.name(), cause);
        }
        abandon(new Ending(cause, Answer.BROKEN.own(), false));
    }

    /** The pump has let go of the answer of an exchange that has ended. */
    void letGo() {
        InterimWrites.afterwards(interimWrites, this::goOnWithEnding);
    }

    private void goOnWithEnding() {
        Ending rest = ending.getAndSet(null);
        if (rest == null) {
            return;
        }
        Try running = current;
        if (running != null && !rest.serverFailed()) {
            running.cancel(rest.cause());
        }
        AsyncContext context = async;
        OwnAnswer own = rest.ifUncommitted();
        if (rest.left() && context != null) {
            leave(context);
        } else if (own == null || context == null || (done.get() & HANDED_OVER) != 0) {
            ends(End.CLIENT_GONE);
            complete();
        } else if (isCommitted()) {
            ends(rest.serverFailed() ? End.SERVER_BROKE_OFF : End.GIVEN_UP);
            log.debug("service '{}': an answer is broken off", balancer.name(), rest.cause());
            endRouted();
            breaker.breakOff(context, request, response);
        } else {
            ends(End.OWN_ANSWER);
            Head last;
            try {
                last = hooks.runWithoutPages(ownHead(own));
            } catch (RuntimeException | Error e) {
                log.warn("service '{}': a request could not be answered", balancer.name(), e);
                complete();
                return;
            }
            finish(last);
        }
    }

    /** The client may have closed its own half of the connection only, and must not take what it gets for the whole. */
    private void leave(AsyncContext context) {
        ends(End.CLIENT_GONE);
        if (isCommitted()) {
            endRouted();
            breaker.breakOff(context, request, response);
            return;
        }
        try {
            response.reset();
            response.setStatus(CLIENT_CLOSED_REQUEST);
            response.setHeader("Connection", "close");
        } catch (RuntimeException e) {
            log.debug("service '{}': the container has taken a response back", balancer.name(), e);
        }
        complete();
    }

    // What the container tells.

    private void bodyFailed(Throwable cause) {
        if (ClientGone.isToldBy(cause)) {
            // One that has ended only what it sends may still read an answer, so there is one.
            if (!responseTaken.get()) {
                leftUnanswered = true;
            }
            ends(End.CLIENT_GONE);
        }
        Answer own = cause instanceof RequestBody.TooLongException ? Answer.TOO_LARGE : Answer.BAD_BODY;
        if (cause instanceof TimeoutException || cause instanceof SocketTimeoutException) {
            RequestBody slow = body;
            // The container counts the time as well in which the server takes nothing.
            own = slow != null && slow.hasFailedWhileAwaited() ? Answer.SLOW_BODY : Answer.TIMED_OUT;
        }
        if (!responseTaken.compareAndSet(false, true)) {
            // The client may be there, and must not take what it has of the answer for the whole.
            abandon(new Ending(cause, own.own(), false));
            return;
        }
        try {
            // No page of another service: the client may be gone, and the response has been taken for this answer.
            answer(own, false);
        } finally {
            // Not asked for before: a try may begin until the exchange has ended.
            Try sending = current;
            if (sending != null && ended.get()) {
                sending.cancel(cause);
            }
        }
    }

    /** The client has gone away: nobody wants the answer any more. */
    void clientGone(Throwable cause) {
        abandon(new Ending(cause, null, false));
    }

    /** Ends the exchange before its regular end; what is to be done is left to the pump where there is one. */
    private void abandon(Ending how) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        ending.set(how);
        try {
            closeBody();
            Race racing = race;
            if (racing != null) {
                racing.cancel(how.cause());
            }
        } finally {
            ResponsePump pumping = pump;
            if (pumping != null) {
                pumping.wake();
            } else {
                letGo();
            }
        }
    }

    /**
     * An end before the regular one.
     *
     * @param ifUncommitted what is answered where nothing has been sent; if something has, the response is broken off.
     *     Null when the client is gone and takes no answer
     * @param serverFailed whether the server's request has failed by itself
     * @param left whether the client was found to be gone, or not to send anything more: the container does not know
     */
    private record Ending(Throwable cause, @Nullable OwnAnswer ifUncommitted, boolean serverFailed, boolean left) {
        private Ending(Throwable cause, @Nullable OwnAnswer ifUncommitted, boolean serverFailed) {
            this(cause, ifUncommitted, serverFailed, false);
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        completed = true;
        if (!ended.get()) {
            // It is the container that has ended it, and told nobody why: nothing is wanted of a server any more.
            clientGone(new IOException("the container has ended the request"));
        }
        endRouted();
        ResponsePump used = pump;
        if (used != null) {
            used.awaitLetGo();
            used.wake();
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        Throwable cause = event.getThrowable();
        clientGone(cause == null ? new IOException("the client is gone") : cause);
        ResponsePump used = pump;
        if (used != null) {
            used.awaitLetGo();
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

    // Endings.

    private boolean answer(Answer own) {
        return answer(own, true);
    }

    private boolean answer(Answer own, boolean page) {
        if (ended.get()) {
            return false;
        }
        Leg now = leg;
        Head replaced = now.replaced();
        AnswerHooks.Result result;
        try {
            result = replaced == null
                    ? hooks.run(ownHead(own.own()))
                    : hooks.run(hooks.fallback(replaced), now.hooksLeft());
        } catch (RuntimeException | Error e) {
            return notEnded(e);
        }
        return end(result, page && replaced == null);
    }

    /** Whatever has failed on the way to an answer, the client gets one. */
    private boolean notEnded(Throwable cause) {
        log.warn("service '{}': a request could not be answered as it should be", balancer.name(), cause);
        abandon(new Ending(cause, Answer.FAILED.own(), false));
        return true;
    }

    private Head ownHead(OwnAnswer own) {
        return Head.of(own, method, balancer.name());
    }

    /**
     * Answers what hooks have made of an answer, which is the proxy's own; or has another service asked for it first.
     *
     * @param page whether another service may be asked
     * @return false when the exchange had ended
     */
    private boolean end(AnswerHooks.Result result, boolean page) {
        Head last;
        try {
            Head.Page wanted = result.page();
            if (wanted != null && page && startPage(wanted, result)) {
                return true;
            }
            last = wanted == null ? result.head() : hooks.runWithoutPages(hooks.fallback(result.head()), result.left());
        } catch (RuntimeException | Error e) {
            return notEnded(e);
        }
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        ends(End.OWN_ANSWER);
        try {
            closeBody();
        } finally {
            finish(last);
        }
        return true;
    }

    /** Writes an answer of the proxy's own, and ends the request by it; for who has won {@link #ended}. */
    private void finish(Head last) {
        InterimWrites.afterwards(interimWrites, () -> finishNow(last));
    }

    private void finishNow(Head last) {
        RequestBody reading = body;
        if (isTakenAtOnce(last) || (reading != null && reading.isToldByContainer())) {
            writeAndComplete(last);
        } else {
            elsewhere(() -> writeAndComplete(last));
        }
    }

    /** Whether the container's buffer takes the answer, so that nobody waits for the client. */
    private boolean isTakenAtOnce(Head own) {
        return !hasBody && own.ownLength() <= DIRECT_BYTES && own.transforms().isEmpty();
    }

    private void writeAndComplete(Head last) {
        try {
            write(last);
        } finally {
            complete();
        }
    }

    /** Has it done by a thread that may wait for the client: one of the container's, where it has one. */
    private void elsewhere(Runnable task) {
        AsyncContext context = async;
        if (context != null) {
            try {
                context.start(task);
                return;
            } catch (RuntimeException e) {
                // Too much to do, or about to stop; or it has ended the request, of which the task will learn.
                log.debug("service '{}': the container has no thread for an answer", balancer.name(), e);
            }
        }
        try {
            upstreams.executor().execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("service '{}': the proxy has no thread for an answer", balancer.name(), e);
            task.run();
        }
    }

    /** Asks another service for what is answered; false when it cannot be asked. */
    private boolean startPage(Head.Page wanted, AnswerHooks.Result replaced) {
        LoadBalancer pages = parts.services().get(wanted.service().toLowerCase(Locale.ROOT));
        if (pages == null) {
            return false;
        }
        Leg next = Leg.page(pages, facts, wanted, replaced.head(), replaced.left());
        current = null;
        leg = next;
        race = null;
        Waiting waiting = new Waiting(this);
        WaitingLine.Ticket ticket;
        try {
            ticket = next.attempts().first(waiting);
        } catch (RuntimeException e) {
            log.debug("service '{}': no page could be had of '{}'", balancer.name(), wanted.service(), e);
            return false;
        }
        begin(waiting, ticket);
        return true;
    }

    /** Whether it is too late for another answer; so it is where the container has taken the response away. */
    private boolean isCommitted() {
        try {
            return response.isCommitted();
        } catch (RuntimeException e) {
            return true;
        }
    }

    private synchronized void write(Head own) {
        try {
            ownLength = own.writeTo(response, hasBody);
        } catch (IOException | RuntimeException e) {
            log.debug("service '{}': an answer of the proxy's own could not be written", balancer.name(), e);
        }
    }

    private void closeBody() {
        WaitingLine.Ticket waiting = place;
        if (waiting != null) {
            waiting.leave();
        }
        RequestBody reading = body;
        if (reading != null) {
            reading.close();
        }
        MirroredRequest copied = mirrored;
        if (copied != null) {
            copied.close();
        }
    }

    /** Not where the request lives on as a tunnel, which tells of its end by itself. */
    private void endRouted() {
        if (!tunnelled) {
            routed.end();
        }
    }

    /** The answer may have come before the request was there. */
    private void endStream() {
        RequestBody read = body;
        if (read == null ? hasBody : !read.isReadWhole()) {
            StreamEnd.withoutError(request);
        }
    }

    private void complete() {
        endRouted();
        endStream();
        AsyncContext context = async;
        try {
            if (context != null) {
                context.complete();
            }
        } catch (RuntimeException e) {
            // The container has ended it before us, since the client is gone.
            log.debug("service '{}': the request had been ended by the container", balancer.name(), e);
        }
    }
}
