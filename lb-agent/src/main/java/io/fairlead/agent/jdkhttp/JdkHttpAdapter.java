package io.fairlead.agent.jdkhttp;

import io.fairlead.Endpoint;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.RequestFacts;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Addresses;
import io.fairlead.agent.route.Delays;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HookMap;
import io.fairlead.agent.route.TargetFacts;
import io.fairlead.agent.route.WeakIdentityMap;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tries of the JDK's client; see the package. */
// What a future's callbacks do is told by other futures, or by exchanges.
@SuppressWarnings("FutureReturnValueIgnored")
public final class JdkHttpAdapter implements Adapter {
    /** {@code S:H:} and the like, before the host in the key of a connection of HTTP/2. */
    private static final int KEY_PREFIX = 4;

    private final WeakIdentityMap<Exchange> byExchange = new WeakIdentityMap<>();
    private final WeakIdentityMap<Exchange> byRequest = new WeakIdentityMap<>();
    /** Those that were given to the JDK, so that its connections can be told from others. */
    private final WeakIdentityMap<String> addresses = new WeakIdentityMap<>();

    private @Nullable ClientContext context;
    private @Nullable Inside inside;
    private @Nullable Bodies bodies;

    /** For the agent. */
    public JdkHttpAdapter() {}

    @Override
    public Map<String, Hook> hooks(ClientContext given) throws ReflectiveOperationException {
        context = given;
        Inside found = new Inside(given);
        inside = found;
        bodies = new Bodies();
        return new HookMap()
                .with("send", (self, arguments) -> self == null ? null : send(self, found))
                .with("read", (self, arguments) -> read(self, arguments))
                .with("ignored", (self, arguments) -> ending(self))
                .tell("none", self -> ended(self, null))
                .with("cancel", (self, arguments) -> cancel(self, arguments))
                .tell("cancelled", this::dropped)
                .with("address", (self, arguments) -> address(self))
                .with("host", (self, arguments) -> host(self))
                .with("key", (self, arguments) -> key(arguments))
                .with("connectionKey", (self, arguments) -> connectionKey(arguments))
                .build();
    }

    private @Nullable Crossing send(Object jdkExchange, Inside in) {
        Object request = in.request(jdkExchange);
        Exchange known = byExchange.get(jdkExchange);
        if (known != null) {
            // This adapter or the JDK sends it once more.
            known.tellServer((name, value) -> in.setField(request, name, value));
            return new Sending(jdkExchange, known, in);
        }
        URI uri = in.uri(request);
        Service service = uri == null || context == null ? null : context.service(uri.getScheme(), uri.getHost());
        if (uri == null || service == null || in.isProxied(request)) {
            return null;
        }
        forgetCollected();
        Exchange exchange;
        try {
            exchange = Exchange.begin(service, uri.getHost(), facts(in, request, uri));
        } catch (NoEndpointException e) {
            CompletableFuture<Object> refused = new CompletableFuture<>();
            refused.completeExceptionally(new ConnectException(e.getMessage()));
            return Skip.returning(refused);
        }
        byExchange.put(jdkExchange, exchange);
        byRequest.put(request, exchange);
        exchange.tellServer((name, value) -> in.setField(request, name, value));
        return new Sending(jdkExchange, exchange, in);
    }

    /** Cookies of a {@code CookieHandler} join the request later and are not seen. */
    private static RequestFacts facts(Inside in, Object request, URI uri) {
        String query = uri.getRawQuery();
        return new TargetFacts(
                in.method(request),
                uri.getRawPath() + (query == null ? "" : "?" + query),
                uri.getHost(),
                TargetFacts.weakly(request, alive -> name -> in.header(alive, name)));
    }

    private void forgetCollected() {
        for (Exchange lost = byExchange.pollCollected(); lost != null; lost = byExchange.pollCollected()) {
            lost.dropped();
        }
        while (byRequest.pollCollected() != null || addresses.pollCollected() != null) {
            // What was known goes with them.
        }
    }

    /** One try, which may be followed by others before the JDK is told of anything. */
    private static final class Sending extends Crossing {
        private final Object jdkExchange;
        private final Exchange exchange;
        private final Inside in;

        Sending(Object jdkExchange, Exchange exchange, Inside in) {
            this.jdkExchange = jdkExchange;
            this.exchange = exchange;
            this.in = in;
        }

        @Override
        public void exit(@Nullable Object[] arguments) {
            if (thrown != null) {
                exchange.failed(thrown);
            } else if (returned != null && !exchange.hasEnded()) {
                CompletableFuture<?> answer = (CompletableFuture<?>) returned;
                returned = answer.handle(this::answered).thenCompose(Function.identity());
            }
        }

        private CompletableFuture<Object> answered(@Nullable Object response, @Nullable Throwable failure) {
            if (failure == null) {
                exchange.responded(response == null ? 0 : in.status(response));
                return CompletableFuture.completedFuture(response);
            }
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            long delay = exchange.fail(outcome(cause), true);
            CompletableFuture<Object> result = new CompletableFuture<>();
            if (delay < 0) {
                result.completeExceptionally(cause);
            } else {
                Delays.run(delay, () -> goOn(cause, result));
            }
            return result;
        }

        private void goOn(Throwable cause, CompletableFuture<Object> result) {
            Endpoint next = exchange.proceed();
            if (next == null) {
                result.completeExceptionally(cause);
                return;
            }
            in.forgetUpgrade(jdkExchange);
            in.responseAsync(jdkExchange).whenComplete((response, failure) -> {
                if (failure == null) {
                    result.complete(response);
                } else {
                    result.completeExceptionally(
                            failure instanceof CompletionException && failure.getCause() != null
                                    ? failure.getCause()
                                    : failure);
                }
            });
        }

        private Outcome outcome(Throwable cause) {
            String name = cause.getClass().getName();
            if (name.equals("jdk.internal.net.http.common.ConnectionExpiredException")
                    || name.equals("jdk.internal.net.http.ConnectionExpiredException")) {
                // A kept connection that ended before a byte of an answer.
                return Outcome.brokenOnKeptAlive(cause);
            }
            if (name.equals("java.net.http.HttpConnectTimeoutException")) {
                return Outcome.connectFailed(cause);
            }
            if (name.equals("java.net.http.HttpTimeoutException")) {
                return Outcome.timedOut(cause);
            }
            return cause instanceof IOException ? exchange.failure(cause) : Outcome.cancelled();
        }
    }

    private @Nullable Crossing read(@Nullable Object jdkExchange, @Nullable Object[] arguments) {
        Exchange exchange = jdkExchange == null ? null : byExchange.get(jdkExchange);
        Object handler = arguments[0];
        if (exchange == null || handler == null || bodies == null) {
            return null;
        }
        arguments[0] = bodies.watch(handler, exchange);
        return null;
    }

    /** A body that nobody wants is read. */
    private @Nullable Crossing ending(@Nullable Object jdkExchange) {
        return jdkExchange == null || byExchange.get(jdkExchange) == null
                ? null
                : new Crossing() {
                    @Override
                    public void exit(@Nullable Object[] arguments) {
                        if (returned != null) {
                            ((CompletableFuture<?>) returned)
                                    .whenComplete((nothing, failure) -> ended(jdkExchange, failure));
                        }
                    }
                };
    }

    private void ended(Object jdkExchange, @Nullable Throwable failure) {
        Exchange exchange = byExchange.get(jdkExchange);
        if (exchange != null) {
            if (failure == null) {
                exchange.bodyEnded();
            } else {
                exchange.failed(failure);
            }
        }
    }

    private @Nullable Crossing cancel(@Nullable Object jdkExchange, @Nullable Object[] arguments) {
        Exchange exchange = jdkExchange == null ? null : byExchange.get(jdkExchange);
        if (exchange != null) {
            Throwable why = (Throwable) arguments[0];
            if (why != null && why.getClass().getName().equals("java.net.http.HttpTimeoutException")) {
                exchange.ended(Outcome.timedOut(why));
            } else {
                exchange.dropped();
            }
        }
        return null;
    }

    private void dropped(Object jdkExchange) {
        Exchange exchange = byExchange.get(jdkExchange);
        if (exchange != null) {
            exchange.dropped();
        }
    }

    private @Nullable Crossing address(@Nullable Object request) throws UnknownHostException {
        Exchange exchange = request == null ? null : byRequest.get(request);
        if (exchange == null) {
            return null;
        }
        Endpoint server = exchange.endpoint();
        String own = exchange.ownHost();
        InetSocketAddress address;
        try {
            address = new InetSocketAddress(
                    Addresses.named(own == null ? exchange.host() : server.host(), server), server.port());
        } catch (UnknownHostException e) {
            // As the JDK does where it finds no address.
            address = InetSocketAddress.createUnresolved(exchange.host(), server.port());
        }
        addresses.put(address, server.id());
        return Skip.returning(address);
    }

    private @Nullable Crossing host(@Nullable Object http1Request) throws IllegalAccessException {
        Object request = http1Request == null || inside == null ? null : inside.requestOf(http1Request);
        Exchange exchange = request == null ? null : byRequest.get(request);
        String own = exchange == null ? null : exchange.ownHost();
        return own == null ? null : Skip.returning(own);
    }

    private @Nullable Crossing key(@Nullable Object[] arguments) {
        Exchange exchange = arguments[0] == null ? null : byRequest.get(arguments[0]);
        return exchange == null ? null : new Keyed(exchange.endpoint().id());
    }

    private @Nullable Crossing connectionKey(@Nullable Object[] arguments) {
        InetSocketAddress address = arguments[0] == null || inside == null ? null : inside.address(arguments[0]);
        String server = address == null ? null : addresses.get(address);
        return server == null ? null : new Keyed(server);
    }

    /** The key of a connection that leads to a server. */
    private static final class Keyed extends Crossing {
        private final String server;

        Keyed(String server) {
            this.server = server;
        }

        @Override
        public void exit(@Nullable Object[] arguments) {
            if (returned != null) {
                returned = ((String) returned).substring(0, KEY_PREFIX) + server;
            }
        }
    }
}
