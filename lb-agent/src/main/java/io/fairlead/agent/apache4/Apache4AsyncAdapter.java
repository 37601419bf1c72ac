package io.fairlead.agent.apache4;

import io.fairlead.Endpoint;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Faults;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Addresses;
import io.fairlead.agent.route.Delays;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HookMap;
import io.fairlead.agent.route.WeakIdentityMap;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Map;
import org.apache.http.HttpHost;
import org.apache.http.HttpResponse;
import org.apache.http.client.methods.HttpRequestWrapper;
import org.apache.http.concurrent.BasicFuture;
import org.apache.http.concurrent.FutureCallback;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.nio.protocol.HttpAsyncClientExchangeHandler;
import org.jspecify.annotations.Nullable;

/** The tries of Apache HttpAsyncClient 4; see the package. */
public final class Apache4AsyncAdapter implements Adapter {
    private static final int ROUTE = 0;
    private static final int STARTED_ROUTE = 1;
    private static final int CALLBACK = 5;

    private @Nullable ClientContext context;
    private final WeakIdentityMap<AsyncTry> byHandler = new WeakIdentityMap<>();
    /** By the routes that lead to a server, which are made anew for each try. */
    private final WeakIdentityMap<AsyncTry> byRoute = new WeakIdentityMap<>();

    /** The try whose handler talks to the connection manager on this thread. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable AsyncTry> current = new ThreadLocal<>();

    private final ExchangeHandlers handlers;

    /** For the agent. */
    public Apache4AsyncAdapter() throws ReflectiveOperationException {
        handlers = new ExchangeHandlers();
    }

    @Override
    public Map<String, Hook> hooks(ClientContext given) {
        context = given;
        return new HookMap()
                .with("request", (self, arguments) -> self == null ? null : request(self))
                .with("lease", (self, arguments) -> lease(arguments))
                .with("resolve", (self, arguments) -> resolve(arguments))
                .with("upgrade", (self, arguments) -> self == null ? null : upgrade(self))
                .with("start", (self, arguments) -> start(arguments))
                .tell("send", this::sending)
                .tell("redirect", this::redirect)
                .with("response", (self, arguments) -> self == null ? null : response(self, arguments))
                .tell("released", this::released)
                .with("failed", (self, arguments) -> self == null ? null : failed(self, arguments))
                .tell("cancelled", this::dropped)
                .tell("closed", this::dropped)
                .build();
    }

    /** A hop, or one try of it, is about to ask for a connection. */
    private @Nullable Crossing request(Object handler) throws IllegalAccessException {
        HttpRoute route = handlers.route(handler);
        HttpRequestWrapper request = handlers.request(handler);
        if (context == null || route == null || request == null || route.getProxyHost() != null) {
            return null;
        }
        String host = route.getTargetHost().getHostName();
        Service service = context.service(route.getTargetHost().getSchemeName(), host);
        AsyncTry state = byHandler.get(handler);
        if (service == null) {
            return null;
        }
        if (state != null && state.moved) {
            state.moved = false;
        } else if (state != null
                && !state.exchange.hasEnded()
                && !state.exchange.hasResponse()
                && state.exchange.host().equals(host)) {
            // The client's own: the server had ended the connection before anything was sent.
            state.exchange.resend();
        } else {
            try {
                state = begin(handler, service, host, request);
            } catch (NoEndpointException e) {
                ((HttpAsyncClientExchangeHandler) handler).failed(new ConnectException(e.getMessage()));
                return Skip.returning(null);
            }
        }
        state.exchange.reusing();
        state.sent = false;
        String own = state.exchange.ownHost();
        if (own != null) {
            request.setHeader("Host", own);
        }
        state.exchange.tellServer(request::setHeader);
        return within(state);
    }

    private AsyncTry begin(Object handler, Service service, String host, HttpRequestWrapper request) {
        for (AsyncTry lost = byHandler.pollCollected(); lost != null; lost = byHandler.pollCollected()) {
            lost.exchange.dropped();
        }
        while (byRoute.pollCollected() != null) {
            // What was known of it goes with it.
        }
        AsyncTry state = new AsyncTry(Exchange.begin(service, host, Requests.facts(request, host)));
        byHandler.put(handler, state);
        return state;
    }

    private Crossing within(AsyncTry state) {
        AsyncTry outer = current.get();
        current.set(state);
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] arguments) {
                if (outer == null) {
                    current.remove();
                } else {
                    current.set(outer);
                }
            }
        };
    }

    /** The pool keeps connections by the route that it is given, and so by server. */
    private @Nullable Crossing lease(@Nullable Object[] arguments) {
        AsyncTry state = current.get();
        HttpRoute logical = (HttpRoute) arguments[ROUTE];
        if (state == null || logical == null) {
            return null;
        }
        try {
            HttpRoute leading = route(state.exchange, logical);
            byRoute.put(leading, state);
            arguments[ROUTE] = leading;
            return null;
        } catch (UnknownHostException e) {
            @SuppressWarnings("unchecked")
            FutureCallback<Object> callback = (FutureCallback<Object>) arguments[CALLBACK];
            BasicFuture<Object> refused = new BasicFuture<>(callback);
            refused.failed(e);
            return Skip.returning(refused);
        }
    }

    private static HttpRoute route(Exchange exchange, HttpRoute logical) throws UnknownHostException {
        HttpHost target = logical.getTargetHost();
        Endpoint server = exchange.endpoint();
        String name = exchange.ownHost() == null ? target.getHostName() : server.host();
        return new HttpRoute(
                new HttpHost(
                        Addresses.named(target.getHostName(), server), name, server.port(), target.getSchemeName()),
                logical.getLocalAddress(),
                logical.isSecure());
    }

    /** The client would ask for the address of the route's name once more. */
    private @Nullable Crossing resolve(@Nullable Object[] arguments) {
        HttpRoute route = (HttpRoute) arguments[ROUTE];
        AsyncTry state = route == null ? null : byRoute.get(route);
        if (route == null || state == null) {
            return null;
        }
        state.exchange.connecting();
        HttpHost target = route.getTargetHost();
        return Skip.returning(new InetSocketAddress(target.getAddress(), target.getPort()));
    }

    private @Nullable Crossing upgrade(Object handler) {
        AsyncTry state = byHandler.get(handler);
        return state == null || state.exchange.ownHost() == null ? null : within(state);
    }

    /** The name for the TLS handshake is that of the route, which is the logical one. */
    private @Nullable Crossing start(@Nullable Object[] arguments) throws UnknownHostException {
        AsyncTry state = current.get();
        HttpRoute logical = (HttpRoute) arguments[STARTED_ROUTE];
        if (state != null && logical != null && state.exchange.ownHost() != null) {
            arguments[STARTED_ROUTE] = route(state.exchange, logical);
        }
        return null;
    }

    private void sending(Object handler) {
        AsyncTry state = byHandler.get(handler);
        if (state != null) {
            state.sent = true;
        }
    }

    /** A redirect to the same name keeps the connection that it has, which leads to the server of the hop before. */
    private void redirect(Object handler) throws ReflectiveOperationException {
        AsyncTry state = byHandler.get(handler);
        if (state != null && state.exchange.hasResponse()) {
            handlers.releaseConnection(handler);
            state.exchange.bodyEnded();
        }
    }

    private @Nullable Crossing response(Object handler, @Nullable Object[] arguments) {
        AsyncTry state = byHandler.get(handler);
        if (state != null) {
            HttpResponse response = (HttpResponse) arguments[0];
            if (response == null) {
                // Another request follows.
                state.exchange.bodyEnded();
            } else {
                state.exchange.responded(response.getStatusLine().getStatusCode());
            }
        }
        return null;
    }

    private void released(Object handler) {
        AsyncTry state = byHandler.get(handler);
        if (state != null) {
            state.exchange.bodyEnded();
        }
    }

    private void dropped(Object handler) {
        AsyncTry state = byHandler.get(handler);
        if (state != null) {
            state.exchange.dropped();
        }
    }

    private @Nullable Crossing failed(Object handler, @Nullable Object[] arguments)
            throws ReflectiveOperationException {
        AsyncTry state = byHandler.get(handler);
        Exception cause = (Exception) arguments[0];
        if (state == null || cause == null || state.exchange.hasEnded() || handlers.isClosed(handler)) {
            return null;
        }
        Exchange exchange = state.exchange;
        boolean connected = handlers.hasConnection(handler);
        if (exchange.hasResponse() || (connected && cause instanceof SocketTimeoutException)) {
            exchange.failed(cause);
            return null;
        }
        if (!(cause instanceof IOException)) {
            // The pool has given no connection in time.
            exchange.dropped();
            return null;
        }
        Outcome outcome = outcome(state, cause, connected);
        boolean available =
                outcome.kind().nothingSent() || handlers.producer(handler).isRepeatable();
        long delay = exchange.fail(outcome, available);
        if (delay < 0) {
            arguments[0] = seen(exchange, cause);
            return null;
        }
        handlers.discardConnection(handler);
        Delays.run(delay, () -> goOn(handler, state, cause));
        return Skip.returning(null);
    }

    private static Outcome outcome(AsyncTry state, Exception cause, boolean connected) {
        if (!connected) {
            return Outcome.connectFailed(cause);
        }
        return state.sent ? state.exchange.failure(cause) : Outcome.stale();
    }

    private void goOn(Object handler, AsyncTry state, Exception cause) {
        try {
            if (state.exchange.proceed() == null) {
                ((HttpAsyncClientExchangeHandler) handler).failed(cause);
                return;
            }
            if (state.sent) {
                handlers.producer(handler).resetRequest();
            }
            state.moved = true;
            handlers.requestConnection(handler);
        } catch (ReflectiveOperationException | IOException | RuntimeException e) {
            Faults.report(e);
            ((HttpAsyncClientExchangeHandler) handler).failed(cause);
        }
    }

    /** The application knows the logical name alone. */
    private static Exception seen(Exchange exchange, Exception cause) {
        if (!(cause instanceof UnknownHostException)) {
            return cause;
        }
        UnknownHostException logical = new UnknownHostException(exchange.host());
        logical.initCause(cause);
        return logical;
    }

    /** What is known of a hop that is under way. */
    private static final class AsyncTry {
        final Exchange exchange;
        /** The exchange has another server now, for which a connection is to be asked for. */
        volatile boolean moved;
        /** A connection is there, on which the request is written. */
        volatile boolean sent;

        AsyncTry(Exchange exchange) {
            this.exchange = exchange;
        }
    }
}
