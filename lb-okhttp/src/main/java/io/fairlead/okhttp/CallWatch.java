package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancers;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Watches one call from within, beside the user's own listener: how far a try came, which exceptions do not tell; that
 * the call is cancelled while nobody reads; and that OkHttp is about to follow a redirect, which it is kept from.
 *
 * <p>Fields are those of the call's thread, but for the pick, which the cancelling one reads. Connecting happens on other
 * threads, whose results are handed over before the call's thread goes on.
 */
final class CallWatch extends EventListener {
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int UNAVAILABLE = 503;

    private final Cancellation cancellation;
    /** What the request brought along to be told of the server. */
    private final @Nullable EndpointTag tag;

    private boolean watching;
    /** The copy of another call that this one is; null: none. */
    private @Nullable Copy copy;

    /** Those whose names redirects are stopped for; null: the call is not ours at the moment. */
    private @Nullable LoadBalancers services;

    private boolean balanced;
    private volatile @Nullable Pick pick;
    /** The status of the answer whose exchange ends the pick; 0: there is none yet. */
    private volatile int finalStatus;

    /** The connection that the call holds, which OkHttp keeps between the tries, and what it was led by. */
    private @Nullable Connection held;

    private @Nullable Pin heldBy;

    // Of the current try.
    private @Nullable Pin pin;
    private boolean connecting;
    private boolean connected;
    private boolean sending;
    private boolean sendingBody;
    private boolean failed;
    private int answered;
    private boolean bodyEnded;

    private CallWatch(Cancellation cancellation, @Nullable EndpointTag tag) {
        this.cancellation = cancellation;
        this.tag = tag;
    }

    /** The watch of a call: the same one when an interceptor before ours sends the call twice. */
    static CallWatch of(Call call) {
        CallWatch watch = call.tag(
                CallWatch.class,
                () -> new CallWatch(new Cancellation(call, Ticker.system()), call.tag(EndpointTag.class)));
        if (!watch.watching) {
            watch.watching = true;
            call.addEventListener(watch);
        }
        return watch;
    }

    /** The server that a call was sent to last; null where it has not come by the interceptor or went elsewhere. */
    static @Nullable Endpoint endpoint(Call call) {
        CallWatch known = call.tag(CallWatch.class);
        Pick last = known == null ? null : known.pick;
        return last == null ? null : last.endpoint();
    }

    /** A copy of the call has answered it. */
    void answeredBy(Pick winner) {
        pick = winner;
        tell(winner.endpoint());
    }

    private void tell(@Nullable Endpoint server) {
        if (tag != null) {
            tag.set(server);
        }
    }

    /** Marks the call, before it is made, as a copy of another one. */
    void carry(Copy carried) {
        copy = carried;
    }

    /** The copy that the call is; null where it is the application's own. */
    @Nullable
    Copy carried() {
        return copy;
    }

    /** Whether a server has already been chosen for what the call is sending. */
    boolean isBalancing() {
        return balanced;
    }

    /** From now on redirects are stopped. */
    CallWatch begin(LoadBalancers balancers) {
        services = balancers;
        return this;
    }

    /** Whether the call was given up, its time counted from when the interceptor first saw it. */
    Cancellation cancellation() {
        return cancellation;
    }

    void beginTry(Pick next, Pin leading) {
        reset();
        balanced = true;
        pin = leading;
        pick = next;
        tell(next.endpoint());
        if (cancellation.happened()) {
            // It may have been cancelled before it could be known whose pick to end.
            next.done(cancellation.outcome());
        }
    }

    void beginElsewhere() {
        reset();
        balanced = false;
        pin = null;
        pick = null;
        tell(null);
    }

    /** Redirects are OkHttp's own again. The pick stays: the body of the answer may still be cancelled. */
    void end() {
        services = null;
        balanced = false;
    }

    /**
     * The answer of the current try is the call's, and its pick ends with the exchange. That may have happened: an answer
     * without a body ends with its head.
     */
    void answered(int status) {
        Pick current = pick;
        if (current != null) {
            current.responded(status);
            finalStatus = status;
            if (bodyEnded) {
                current.done(Outcome.status(status));
            }
        }
    }

    /**
     * Ends a limit of reading that was made for the head of an answer, which is there now: a pause in its body may last as
     * long as the client says.
     */
    void readBodyWithin(int millis, int headMillis, Response response) {
        if (response.networkResponse() == null || response.code() == SWITCHING_PROTOCOLS) {
            return;
        }
        Timeout timeout = response.body().source().timeout();
        if (timeout.timeoutNanos() == TimeUnit.MILLISECONDS.toNanos(headMillis)) {
            timeout.timeout(millis, TimeUnit.MILLISECONDS);
        }
        Connection connection = held;
        if (connection != null && !isMultiplexed(connection)) {
            try {
                connection.socket().setSoTimeout(millis);
            } catch (SocketException e) {
                // Closed: whoever reads the body will see.
                held = null;
            }
        }
    }

    private void exchangeEnded() {
        bodyEnded = true;
        Pick current = pick;
        int status = finalStatus;
        if (status != 0 && current != null) {
            current.done(cancellation.happened() ? cancellation.outcome() : Outcome.status(status));
        }
    }

    private void reset() {
        finalStatus = 0;
        bodyEnded = false;
        connecting = false;
        connected = false;
        sending = false;
        sendingBody = false;
        failed = false;
        answered = 0;
    }

    /**
     * Whether OkHttp would go on with the connection that the call holds, although it leads to another server: for that
     * it compares no more than the URL's host and port.
     */
    boolean wouldKeepConnection(Pin leading, String host, int port) {
        Connection connection = held;
        if (connection == null || heldBy == leading) {
            return false;
        }
        HttpUrl url = connection.route().address().url();
        return url.port() == port && url.host().equals(host);
    }

    boolean isBodyUntouched() {
        return !sendingBody;
    }

    boolean isOnKeptAliveConnection() {
        return sending && !connected;
    }

    /** What the failure of the current try says about its server. */
    Outcome outcome(IOException e) {
        if (answered != 0) {
            // An answer came, with which something on the way up was not content.
            return Outcome.status(answered);
        }
        if (Failures.isOurs(e)) {
            return Outcome.cancelled();
        }
        if (sending) {
            if (!failed) {
                // Not the connection: the request's own body, or an interceptor.
                return Outcome.cancelled();
            }
            if (Failures.wasRefused(e)) {
                return Outcome.stale();
            }
            Outcome outcome = Failures.whileReading(e);
            return outcome.kind() == Outcome.Kind.BROKEN && isOnKeptAliveConnection()
                    ? Outcome.brokenOnKeptAlive(e)
                    : outcome;
        }
        return connecting ? Outcome.connectFailed(e) : Outcome.cancelled();
    }

    @Override
    public void canceled(Call call) {
        Pick current = pick;
        if (current != null) {
            current.done(cancellation.outcome());
        }
        cancellation.happens();
    }

    @Override
    public void followUpDecision(Call call, Response networkResponse, @Nullable Request nextRequest) {
        LoadBalancers known = services;
        if (known == null || nextRequest == null) {
            return;
        }
        if (networkResponse.isRedirect()) {
            if (balanced || known.get(nextRequest.url().host()) != null) {
                throw CallWatch.<RuntimeException>undeclared(new StoppedRedirect(networkResponse, nextRequest));
            }
        } else if (balanced && networkResponse.code() == UNAVAILABLE && !isIdempotent(nextRequest.method())) {
            // With "Retry-After: 0" OkHttp sends it again, whatever it is and whatever the client says.
            throw CallWatch.<RuntimeException>undeclared(new StoppedResend(networkResponse));
        }
    }

    private static boolean isIdempotent(String method) {
        return !method.equals("POST") && !method.equals("PATCH");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E undeclared(Throwable e) throws E {
        throw (E) e;
    }

    @Override
    public void dnsStart(Call call, String domainName) {
        connecting = true;
    }

    @Override
    public void connectStart(Call call, InetSocketAddress inetSocketAddress, Proxy proxy) {
        connecting = true;
        connected = true;
    }

    @Override
    public void connectionAcquired(Call call, Connection connection) {
        held = connection;
        heldBy = pin;
    }

    @Override
    public void connectionReleased(Call call, Connection connection) {
        exchangeEnded();
        held = null;
        heldBy = null;
    }

    @Override
    public void requestHeadersStart(Call call) {
        sending = true;
        // Of an exchange before it, which OkHttp goes on from by itself: a challenge that it met.
        failed = false;
        answered = 0;
        bodyEnded = false;
    }

    @Override
    public void requestBodyStart(Call call) {
        sendingBody = true;
    }

    @Override
    public void requestFailed(Call call, IOException ioe) {
        exchangeFailed(ioe);
    }

    @Override
    public void responseHeadersEnd(Call call, Response response) {
        answered = response.code();
    }

    @Override
    public void responseBodyEnd(Call call, long byteCount) {
        exchangeEnded();
    }

    @Override
    public void responseFailed(Call call, IOException ioe) {
        exchangeFailed(ioe);
    }

    private void exchangeFailed(IOException e) {
        Pick current = pick;
        if (finalStatus != 0 && current != null) {
            current.done(cancellation.happened() ? cancellation.outcome() : Failures.whileReading(e));
        }
        failed = true;
        Connection connection = held;
        if (connection != null && (!isMultiplexed(connection) || Failures.endsConnection(e))) {
            // OkHttp takes another one next time.
            held = null;
            heldBy = null;
        }
    }

    private static boolean isMultiplexed(Connection connection) {
        Protocol protocol = connection.protocol();
        return protocol == Protocol.HTTP_2 || protocol == Protocol.H2_PRIOR_KNOWLEDGE;
    }
}
