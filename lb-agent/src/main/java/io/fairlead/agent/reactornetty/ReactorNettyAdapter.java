package io.fairlead.agent.reactornetty;

import io.fairlead.Endpoint;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Addresses;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HookMap;
import io.fairlead.agent.route.ServerField;
import io.fairlead.agent.route.TargetFacts;
import io.fairlead.agent.route.WeakIdentityMap;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tries of Reactor Netty; see the package. */
public final class ReactorNettyAdapter implements Adapter {
    private static final String NOTHING_SENT = "Connection has been closed BEFORE send operation";

    private final WeakIdentityMap<Exchange> byHandler = new WeakIdentityMap<>();
    private final WeakIdentityMap<Exchange> byOperations = new WeakIdentityMap<>();
    private @Nullable ClientContext context;

    /** For the agent. */
    public ReactorNettyAdapter() {}

    @Override
    public Map<String, Hook> hooks(ClientContext given) throws ReflectiveOperationException {
        context = given;
        ClassLoader client = Objects.requireNonNull(ReactorNettyAdapter.class.getClassLoader());
        Handler handler = new Handler(client);
        return new HookMap()
                .with("address", (self, arguments) -> self == null ? null : address(self, handler))
                .tell("redirect", this::redirect)
                .with("channel", (self, arguments) -> channel(self, arguments))
                .with("again", (self, arguments) -> again(self, arguments))
                .with("response", (self, arguments) -> response(self, arguments))
                .tell("closed", this::closed)
                .tell("cancelled", this::cancelled)
                .tell("terminated", this::terminated)
                .build();
    }

    /** The handler is asked for the address to connect to; more than once for a try. */
    private Crossing address(Object self, Handler handler) {
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] arguments) throws Exception {
                if (thrown == null && returned instanceof InetSocketAddress) {
                    InetSocketAddress logical = (InetSocketAddress) returned;
                    Exchange exchange = byHandler.get(self);
                    if (exchange == null) {
                        exchange = begin(this, self, handler, logical);
                    }
                    if (exchange != null) {
                        returned =
                                leading(exchange, logical, handler.scheme(self).equals("https"));
                    }
                }
            }
        };
    }

    private @Nullable Exchange begin(Crossing crossing, Object self, Handler handler, InetSocketAddress logical)
            throws ReflectiveOperationException {
        String host = logical.getHostString();
        Service service = context == null ? null : context.service(handler.scheme(self), host);
        if (service == null || handler.isProxied(self, logical)) {
            return null;
        }
        for (Exchange lost = byHandler.pollCollected(); lost != null; lost = byHandler.pollCollected()) {
            lost.dropped();
        }
        while (byOperations.pollCollected() != null) {
            // What was known of it goes with it.
        }
        try {
            Exchange exchange = Exchange.begin(
                    service,
                    host,
                    new TargetFacts(handler.method(self), handler.target(self), host, fields(handler.headers(self))));
            byHandler.put(self, exchange);
            return exchange;
        } catch (NoEndpointException e) {
            crossing.thrown = new ConnectException(e.getMessage());
            return null;
        }
    }

    /** Those that are known before a request is sent: what the application adds while it is written is not. */
    private static TargetFacts.Fields fields(@Nullable Object headers) {
        return name -> {
            try {
                return headers == null ? null : (String) Handler.call(headers, "get", String.class, name);
            } catch (ReflectiveOperationException e) {
                return null;
            }
        };
    }

    private static InetSocketAddress leading(Exchange exchange, InetSocketAddress logical, boolean secure) {
        Endpoint server = exchange.endpoint();
        String name = exchange.ownHost() == null ? logical.getHostString() : server.host();
        try {
            InetAddress address = secure ? Addresses.named(name, server) : Addresses.literal(name, server.host());
            if (address != null) {
                return new InetSocketAddress(address, server.port());
            }
        } catch (UnknownHostException e) {
            // The client's own resolver says it in its own way.
            return InetSocketAddress.createUnresolved(server.host(), server.port());
        }
        return InetSocketAddress.createUnresolved(server.host(), server.port());
    }

    /** The next hop, to whatever host. */
    private void redirect(Object self) {
        Exchange before = byHandler.remove(self);
        if (before != null) {
            before.dropped();
        }
    }

    private @Nullable Crossing channel(@Nullable Object self, @Nullable Object[] arguments)
            throws ReflectiveOperationException {
        Exchange exchange = self == null ? null : byHandler.get(self);
        Object operations = arguments[0];
        if (exchange != null && operations != null) {
            exchange.reusing();
            byOperations.put(operations, exchange);
            String own = exchange.ownHost();
            if (own != null) {
                Handler.setField(operations, "Host", own);
            }
            String telling = ServerField.name();
            if (telling != null) {
                Handler.setField(operations, telling, exchange.endpoint().id());
            }
        }
        return null;
    }

    /** Asked after a failure. */
    private @Nullable Crossing again(@Nullable Object self, @Nullable Object[] arguments) {
        Exchange exchange = self == null ? null : byHandler.get(self);
        Throwable failure = (Throwable) arguments[0];
        if (exchange == null || failure == null || failure.getClass().getName().endsWith(".RedirectClientException")) {
            return null;
        }
        if (exchange.hasResponse()) {
            exchange.failed(failure);
            return Skip.returning(false);
        }
        Outcome outcome = outcome(exchange, failure);
        boolean available = outcome.kind().nothingSent() || exchange.isBodiless();
        return Skip.returning(exchange.next(outcome, available) != null);
    }

    private static Outcome outcome(Exchange exchange, Throwable failure) {
        if (failure instanceof IOException) {
            return exchange.failure(failure);
        }
        switch (failure.getClass().getName()) {
            case "io.netty.handler.timeout.ReadTimeoutException":
            case "io.netty.handler.timeout.WriteTimeoutException":
                return Outcome.timedOut(failure);
            case "reactor.netty.channel.AbortedException":
                // The connection was closed before the request was written, or while it was.
                return NOTHING_SENT.equals(failure.getMessage()) ? Outcome.stale() : exchange.failure(failure);
            default:
                // The application's own, or no connection was free in time.
                return Outcome.cancelled();
        }
    }

    private @Nullable Crossing response(@Nullable Object operations, @Nullable Object[] arguments)
            throws ReflectiveOperationException {
        Exchange exchange = operations == null ? null : byOperations.get(operations);
        Object response = arguments[0];
        if (exchange != null && response != null) {
            Object status = Handler.call(response, "status");
            Object code = status == null ? null : Handler.call(status, "code");
            exchange.responded(code instanceof Integer ? (Integer) code : 0);
        }
        return null;
    }

    private void closed(Object operations) {
        Exchange exchange = byOperations.get(operations);
        if (exchange != null && exchange.hasResponse()) {
            exchange.ended(Outcome.broken(null));
        }
    }

    private void cancelled(Object operations) {
        Exchange exchange = byOperations.get(operations);
        if (exchange != null) {
            exchange.dropped();
        }
    }

    private void terminated(Object operations) {
        Exchange exchange = byOperations.get(operations);
        if (exchange != null) {
            exchange.bodyEnded();
        }
    }
}
