package io.fairlead.agent.apache5;

import io.fairlead.NoEndpointException;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HookMap;
import io.fairlead.agent.route.WeakIdentityMap;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.core5.concurrent.Cancellable;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.jspecify.annotations.Nullable;

/** The tries of Apache HttpClient 5, asynchronous; see the package. */
public final class Apache5AsyncAdapter implements Adapter {
    /** Before 5.4 a connection to an address that is known fails with another exception than one to a name. */
    private static final boolean NAMES_ADDRESSES = has(HttpRoute.class, "getTargetName");

    private static final int REQUEST = 0;
    private static final int BODY = 1;
    private static final int SCOPE = 2;
    private static final int CHAIN = 3;
    private static final int CALLBACK = 4;
    private static final int ROUTE = 1;
    private static final int ENDPOINT = 0;
    private static final int ADDRESS = 1;

    private @Nullable ClientContext context;
    private final WeakIdentityMap<AsyncTry> byRuntime = new WeakIdentityMap<>();
    /** By the hosts of routes that lead to a server, which are made anew for each try. */
    private final WeakIdentityMap<Exchange> byHost = new WeakIdentityMap<>();

    /** For the agent. */
    public Apache5AsyncAdapter() {}

    @Override
    public Map<String, Hook> hooks(ClientContext given) {
        context = given;
        return new HookMap()
                .with("execute", (self, arguments) -> self == null ? null : execute(self, arguments))
                .with("acquire", (self, arguments) -> self == null ? null : acquire(self, arguments, false))
                .with("acquireHttp2", (self, arguments) -> self == null ? null : acquire(self, arguments, true))
                .with("open", (self, arguments) -> open(arguments))
                .with("connect", (self, arguments) -> self == null ? null : connect(self))
                .with("send", (self, arguments) -> self == null ? null : send(self))
                .build();
    }

    private @Nullable Crossing execute(Object self, @Nullable Object[] arguments) {
        HttpRequest request = (HttpRequest) arguments[REQUEST];
        AsyncExecChain.Scope scope = (AsyncExecChain.Scope) arguments[SCOPE];
        AsyncExecChain chain = (AsyncExecChain) arguments[CHAIN];
        AsyncExecCallback callback = (AsyncExecCallback) arguments[CALLBACK];
        if (context == null || request == null || scope == null || chain == null || callback == null) {
            return null;
        }
        if (callback instanceof WatchingCallback || scope.route.getProxyHost() != null) {
            return null;
        }
        HttpHost target = scope.route.getTargetHost();
        String host = target.getHostName();
        Service service = context.service(target.getSchemeName(), host);
        if (service == null) {
            byRuntime.remove(scope.execRuntime);
            return null;
        }
        AsyncTry before = byRuntime.get(scope.execRuntime);
        Exchange exchange;
        if (before != null
                && !before.exchange.hasResponse()
                && before.exchange.host().equals(host)) {
            // The client's own retry.
            exchange = before.exchange;
        } else {
            try {
                exchange = Exchange.begin(service, host, Requests.facts(request, host));
            } catch (NoEndpointException e) {
                callback.failed(new ConnectException(e.getMessage()));
                return Skip.returning(null);
            }
        }
        for (AsyncTry lost = byRuntime.pollCollected(); lost != null; lost = byRuntime.pollCollected()) {
            lost.exchange.dropped();
        }
        if (scope.execRuntime.isEndpointAcquired()) {
            // A redirect to the same name keeps the connection that it has, which may lead to another server.
            scope.execRuntime.releaseEndpoint();
        }
        String own = exchange.ownHost();
        if (own != null) {
            request.setHeader("Host", own);
        }
        exchange.tellServer(request::setHeader);
        AsyncTry state = new AsyncTry(exchange);
        byRuntime.put(scope.execRuntime, state);
        arguments[CALLBACK] = new WatchingCallback(
                (AsyncExecChainHandler) self,
                request,
                (AsyncEntityProducer) arguments[BODY],
                scope,
                chain,
                callback,
                state);
        return null;
    }

    /** @param connects whether nobody but this is asked for a connection, to be opened where there is none */
    private @Nullable Crossing acquire(Object runtime, @Nullable Object[] arguments, boolean connects) {
        AsyncTry state = byRuntime.get(runtime);
        HttpRoute logical = (HttpRoute) arguments[ROUTE];
        if (state == null || logical == null) {
            return null;
        }
        state.exchange.reusing();
        HttpRoute leading = route(state.exchange, logical);
        arguments[ROUTE] = leading;
        if (connects) {
            state.acquired = true;
            while (byHost.pollCollected() != null) {
                // What was known of it goes with it.
            }
            byHost.put(leading.getTargetHost(), state.exchange);
        }
        return cancellingWhatFollows(state);
    }

    /** The client for HTTP/2 alone would ask for the address of the host's name, though the host has one. */
    private @Nullable Crossing open(@Nullable Object[] arguments) {
        Object endpoint = arguments[ENDPOINT];
        Exchange exchange = endpoint == null ? null : byHost.get(endpoint);
        if (endpoint != null && exchange != null) {
            exchange.connecting();
            HttpHost host = (HttpHost) endpoint;
            if (host.getAddress() != null && arguments[ADDRESS] == null) {
                arguments[ADDRESS] = new InetSocketAddress(host.getAddress(), host.getPort());
            }
        }
        return null;
    }

    private static HttpRoute route(Exchange exchange, HttpRoute logical) {
        if (!NAMES_ADDRESSES && !logical.isSecure()) {
            return unresolved(exchange, logical);
        }
        try {
            return Routes.to(exchange.endpoint(), logical, exchange.ownHost() != null);
        } catch (UnknownHostException e) {
            // The client finds that out by itself, and says so in its own way.
            return unresolved(exchange, logical);
        }
    }

    private static HttpRoute unresolved(Exchange exchange, HttpRoute logical) {
        return new HttpRoute(
                new HttpHost(
                        logical.getTargetHost().getSchemeName(),
                        exchange.endpoint().host(),
                        exchange.endpoint().port()),
                logical.getLocalAddress(),
                logical.isSecure());
    }

    private static boolean has(Class<?> type, String method) {
        try {
            type.getMethod(method);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private @Nullable Crossing connect(Object runtime) {
        AsyncTry state = byRuntime.get(runtime);
        if (state == null) {
            return null;
        }
        state.acquired = true;
        state.exchange.connecting();
        return cancellingWhatFollows(state);
    }

    /**
     * The client cancels the step that it has noted last. A step may be over, and the request sent by another thread,
     * before it is noted: then the note of the request is overwritten, and nothing would end it.
     */
    private static Crossing cancellingWhatFollows(AsyncTry state) {
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] arguments) {
                Cancellable step = (Cancellable) returned;
                if (step != null) {
                    returned = (Cancellable) () -> {
                        boolean cancelled = step.cancel();
                        Cancellable request = state.sent;
                        return (request != null && request.cancel()) || cancelled;
                    };
                }
            }
        };
    }

    private @Nullable Crossing send(Object runtime) {
        AsyncTry state = byRuntime.get(runtime);
        if (state == null) {
            return null;
        }
        state.acquired = true;
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] arguments) {
                Cancellable sent = (Cancellable) returned;
                if (sent != null) {
                    // Not every version tells the callback when the application gives up.
                    Cancellable whole = () -> {
                        state.exchange.dropped();
                        return sent.cancel();
                    };
                    state.sent = whole;
                    returned = whole;
                }
            }
        };
    }

    /** What is known of a request that is under way. */
    static final class AsyncTry {
        final Exchange exchange;
        /** Whether the pool has given a connection, or a place for one. */
        volatile boolean acquired;
        /** Ends the request; null: it has not been sent. */
        volatile @Nullable Cancellable sent;

        AsyncTry(Exchange exchange) {
            this.exchange = exchange;
        }
    }
}
