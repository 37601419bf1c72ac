package io.fairlead.servlet;

import io.fairlead.TransportSettings;
import io.fairlead.servlet.tunnel.Tunnels;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProcessingProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A client of servers that adds nothing of its own to what it carries: no redirects, no cookies, no decoding, no user
 * agent, no authentication. Of interim answers (100, 102, 103) it tells.
 *
 * <p>Its listeners run on the selector's thread, so none of them may block.
 */
final class Upstream {
    private static final int MAX_QUEUED = 4096;
    private static final int HEAD_BYTES = 8 * 1024;
    private static final int MAX_HEAD_BYTES = 64 * 1024;
    static final int BODY_BUFFER_BYTES = 32 * 1024;
    private static final int STREAM_WINDOW_BYTES = 256 * 1024;
    /**
     * Twice what all requests of a connection may hold, lest those whose clients take nothing stop the others: what has
     * been taken is told to the server only when it is half the window.
     */
    private static final int SESSION_WINDOW_BYTES = 2 * UpstreamTransport.MAX_STREAMS * STREAM_WINDOW_BYTES;

    private static final long FORGET_DESTINATION_MILLIS = Duration.ofMinutes(5).toMillis();

    private final HttpClient client;
    private final Http2Pings pings;
    private final TryLimits limits;
    private final Tunnels tunnels;
    private volatile long lastUsed = NanoTime.now();

    private final Duration answerIdle;

    private Upstream(HttpClient client, Http2Pings pings, Duration answerIdle, Scheduler scheduler) {
        this.client = client;
        this.pings = pings;
        this.answerIdle = answerIdle;
        this.limits = new TryLimits(scheduler);
        this.tunnels = new Tunnels(scheduler, client.getByteBufferPool());
    }

    static Upstream start(
            Duration dial,
            Duration idle,
            TransportSettings settings,
            Duration answerIdle,
            int maxConnections,
            Executor executor,
            Scheduler scheduler,
            ByteBufferPool buffers,
            @Nullable SharedSelectors shared,
            UnaryOperator<SocketAddressResolver> names) {
        UpstreamConnector connector = new UpstreamConnector(shared);
        connector.setExecutor(executor);
        connector.setScheduler(scheduler);
        connector.setByteBufferPool(buffers);
        // As many where selectors are shared: they serve the requests of threads that serve none of those.
        connector.setSelectors(Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 2)));
        connector.setConnectTimeout(dial.isZero() ? Duration.ofMillis(Integer.MAX_VALUE) : dial);
        connector.setIdleTimeout(idle);
        connector.setSslContextFactory(new UpstreamTls(settings.tls()));
        HTTP2Client http2 = new HTTP2Client(connector);
        // So much of an answer that its client does not take is held for it, and no more.
        http2.setInitialStreamRecvWindow(STREAM_WINDOW_BYTES);
        http2.setInitialSessionRecvWindow(SESSION_WINDOW_BYTES);
        // A stream is watched by TryLimits.
        http2.setStreamIdleTimeout(0);
        http2.addEventListener(new Http2Answers());
        UpstreamTransport transport = new UpstreamTransport(connector, http2, settings, shared);
        transport.setInvocationType(InvocationType.NON_BLOCKING);
        HttpClient client = new HttpClient(transport);
        client.setName("fairlead-upstream");
        Http2Pings pings = new Http2Pings(scheduler, settings.readIdleTimeout(), settings.pingTimeout());
        if (!settings.readIdleTimeout().isZero()) {
            client.addBean(pings);
        }
        client.setFollowRedirects(false);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setUserAgentField(null);
        client.setDefaultRequestContentType(null);
        client.setMaxConnectionsPerDestination(maxConnections);
        client.setMaxRequestsQueuedPerDestination(MAX_QUEUED);
        client.setRequestBufferSize(HEAD_BYTES);
        client.setMaxRequestHeadersSize(MAX_HEAD_BYTES);
        client.setMaxResponseHeadersSize(MAX_HEAD_BYTES);
        client.setResponseBufferSize(BODY_BUFFER_BYTES);
        // On the heap, since servlet streams take arrays.
        client.setUseInputDirectByteBuffers(false);
        client.setDestinationIdleTimeout(FORGET_DESTINATION_MILLIS);
        long toResolve = dial.isZero() ? client.getAddressResolutionTimeout() : dial.toMillis();
        client.setSocketAddressResolver(
                connector.noting(names.apply(new SocketAddressResolver.Async(executor, scheduler, toResolve))));
        try {
            client.start();
        } catch (Exception e) {
            LifeCycle.stop(client);
            throw new IllegalStateException("the proxy's HTTP client cannot be started", e);
        }
        client.getContentDecoderFactories().clear();
        client.getProtocolHandlers().clear();
        client.getProtocolHandlers().put(new InterimAnswers());
        return new Upstream(client, pings, answerIdle, scheduler);
    }

    HttpClient client() {
        return client;
    }

    /** Who finds out whether HTTP/2 connections are still there. */
    Http2Pings pings() {
        return pings;
    }

    /** Who watches the time limits of the tries. */
    TryLimits limits() {
        return limits;
    }

    /** The connections that have left the client for a protocol of their own. */
    Tunnels tunnels() {
        return tunnels;
    }

    /** How long an answer may stand still; zero: for ever. */
    Duration answerIdle() {
        return answerIdle;
    }

    /** It has been asked for. */
    void use() {
        lastUsed = NanoTime.now();
    }

    /** Whether it carries nothing and has not been asked for in so long a time. */
    boolean isForgotten(Duration time) {
        return limits.isEmpty() && tunnels.count() == 0 && NanoTime.millisSince(lastUsed) > time.toMillis();
    }

    void close() {
        limits.destroy();
        tunnels.close();
        LifeCycle.stop(client);
    }

    /** Takes answers that announce another one, and lets the try go on. */
    private static final class InterimAnswers extends ProcessingProtocolHandler {
        @Override
        public boolean accept(Request request, Response response) {
            return response.getStatus() >= 100 && response.getStatus() < 200 && response.getStatus() != 101;
        }

        @Override
        public Response.Listener getResponseListener() {
            return new Telling(super.getResponseListener());
        }
    }

    /** Tells of an interim answer when its fields are there. */
    private record Telling(Response.Listener next) implements Response.Listener {
        @Override
        public void onSuccess(Response response) {
            if (response.getRequest() instanceof UpstreamRequest own) {
                own.announced(response);
            }
            next.onSuccess(response);
        }

        @Override
        public void onFailure(Response response, Throwable failure) {
            next.onFailure(response, failure);
        }

        @Override
        public void onComplete(Result result) {
            next.onComplete(result);
        }
    }
}
