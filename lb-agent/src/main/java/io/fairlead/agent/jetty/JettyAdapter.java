package io.fairlead.agent.jetty;

import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Delays;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HookMap;
import io.fairlead.agent.route.ServerField;
import io.fairlead.agent.route.WeakIdentityMap;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Origin;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/** The tries of Jetty's client; see the package. */
public final class JettyAdapter implements Adapter {
    private static final int DESTINATION = 0;
    private static final int PROMISE = 1;
    private static final int HOST = 0;
    private static final int PORT = 1;
    private static final int SWITCHING = 101;
    private static final int OK = 200;

    private final Inside inside;
    private final WeakIdentityMap<JettyTry> byExchange = new WeakIdentityMap<>();
    /** The channels that have carried a request. */
    private final WeakIdentityMap<Boolean> used = new WeakIdentityMap<>();

    /** Why connections ended, for whose sake the client aborts what was under way. */
    private final WeakIdentityMap<Boolean> breaks = new WeakIdentityMap<>();

    /** The request that is being sent by this thread, until it has an exchange. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Sending> sending = new ThreadLocal<>();

    /** Where this thread is about to open a connection to. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable ServerAddress> connecting = new ThreadLocal<>();

    private @Nullable ClientContext context;

    /** For the agent. */
    public JettyAdapter() throws ReflectiveOperationException {
        inside = new Inside();
    }

    @Override
    public Map<String, Hook> hooks(ClientContext given) {
        context = given;
        return new HookMap()
                .with("send", (self, arguments) -> arguments[0] == null ? null : send(arguments[0]))
                .with("sendRequest", (self, arguments) -> self == null ? null : send(self))
                .with("origin", (self, arguments) -> self == null ? null : origin((HttpClient) self))
                .with("connect", (self, arguments) -> connect(arguments))
                .with("resolve", (self, arguments) -> resolve(arguments))
                .with("exchange", (self, arguments) -> self == null ? null : exchange(self, arguments))
                .with("associate", (self, arguments) -> self == null ? null : associate(self, arguments))
                .with("response", (self, arguments) -> response(arguments))
                .with("terminated", (self, arguments) -> self == null ? null : terminated(self))
                .with("closing", (self, arguments) -> self == null ? null : closing(self, arguments))
                .with("breaking", (self, arguments) -> breaking(arguments))
                .with("breakingBy", (self, arguments) -> breakingBy(arguments))
                .with("refused", (self, arguments) -> self == null ? null : refused(self, arguments))
                .build();
    }

    private @Nullable Crossing send(Object request) {
        Sending outer = sending.get();
        Sending inner = new Sending(request);
        sending.set(inner);
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] arguments) {
                leave(outer);
                JettyTry begun = inner.begun;
                if (begun != null && !inner.attached) {
                    begun.exchange.dropped();
                }
            }
        };
    }

    private void leave(@Nullable Sending outer) {
        if (outer == null) {
            sending.remove();
        } else {
            sending.set(outer);
        }
    }

    /** The client asks where a request goes to; an application may ask that, too, without sending anything. */
    private @Nullable Crossing origin(HttpClient client) {
        Sending now = sending.get();
        return now == null
                ? null
                : new Crossing() {
                    @Override
                    public void exit(@Nullable Object[] arguments) {
                        Origin logical = (Origin) returned;
                        if (thrown == null && logical != null) {
                            returned = leading(client, now, logical);
                        }
                    }
                };
    }

    private Origin leading(HttpClient client, Sending now, Origin logical) {
        String host = logical.getAddress().getHost();
        Service service = context == null ? null : context.service(logical.getScheme(), host);
        if (service == null || inside.isProxied(client, logical)) {
            return logical;
        }
        JettyTry begun = now.begun;
        if (begun == null) {
            forgetCollected();
            try {
                begun = new JettyTry(Exchange.begin(service, host, Requests.facts(inside, now.request, host)), logical);
            } catch (NoEndpointException e) {
                return inside.origin(
                        logical, ServerAddress.refusing(logical.getAddress(), String.valueOf(e.getMessage())));
            }
            now.begun = begun;
        }
        return inside.origin(logical, ServerAddress.of(begun.exchange, logical.getAddress()));
    }

    private void forgetCollected() {
        for (JettyTry lost = byExchange.pollCollected(); lost != null; lost = byExchange.pollCollected()) {
            lost.exchange.dropped();
        }
        while (used.pollCollected() != null || breaks.pollCollected() != null) {
            // It is not needed any more.
        }
    }

    private @Nullable ServerAddress address(Object destination) {
        Origin.Address address = inside.origin(destination).getAddress();
        return address instanceof ServerAddress ? (ServerAddress) address : null;
    }

    private @Nullable Crossing connect(@Nullable Object[] arguments) {
        Object destination = arguments[DESTINATION];
        ServerAddress to = destination == null ? null : address(destination);
        if (to == null) {
            return null;
        }
        String refusal = to.refusal();
        Promise<?> promise = (Promise<?>) arguments[PROMISE];
        if (refusal != null && promise != null) {
            promise.failed(new ConnectException(refusal));
            return Skip.returning(null);
        }
        ServerAddress outer = connecting.get();
        connecting.set(to);
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] same) {
                if (outer == null) {
                    connecting.remove();
                } else {
                    connecting.set(outer);
                }
            }
        };
    }

    private @Nullable Crossing resolve(@Nullable Object[] arguments) {
        ServerAddress to = connecting.get();
        int last = arguments.length - 1;
        if (to != null && arguments[last] != null) {
            arguments[HOST] = to.server();
            arguments[PORT] = to.serverPort();
            @SuppressWarnings("unchecked")
            Promise<List<InetSocketAddress>> promise = (Promise<List<InetSocketAddress>>) arguments[last];
            arguments[last] = new NamedAddresses(to.getHost(), promise);
        }
        return null;
    }

    private @Nullable Crossing exchange(Object exchange, @Nullable Object[] arguments) {
        Sending now = sending.get();
        JettyTry begun = now == null ? null : now.begun;
        Object destination = arguments[DESTINATION];
        if (now == null || begun == null || destination == null || address(destination) == null) {
            return null;
        }
        now.attached = true;
        byExchange.put(exchange, begun);
        Failing failing = new Failing(begun, exchange, destination);
        inside.listen(exchange, (proxy, method, given) -> {
            switch (method.getName()) {
                case "onComplete":
                    failing.completed(given[0]);
                    return null;
                case "onHeader":
                    return true;
                case "equals":
                    return proxy == given[0];
                case "hashCode":
                    return System.identityHashCode(proxy);
                case "toString":
                    return "fairlead";
                default:
                    return null;
            }
        });
        return null;
    }

    private @Nullable Crossing associate(Object exchange, @Nullable Object[] arguments) {
        JettyTry begun = byExchange.get(exchange);
        Object channel = arguments[0];
        if (begun != null && channel != null) {
            if (used.get(channel) == null) {
                used.put(channel, true);
                begun.exchange.connecting();
            } else {
                begun.exchange.reusing();
            }
            // The head is about to be written.
            begun.exchange.tellServer((name, value) -> inside.setField(inside.request(exchange), name, value));
        }
        return null;
    }

    private @Nullable Crossing response(@Nullable Object[] arguments) {
        Object exchange = arguments[0];
        JettyTry begun = exchange == null ? null : byExchange.get(exchange);
        if (exchange != null && begun != null) {
            String telling = ServerField.name();
            if (telling != null) {
                // The request is the application's, and a redirect to another host takes its fields along.
                inside.removeField(inside.request(exchange), telling);
            }
            int status = inside.status(exchange);
            if (status >= OK || status == SWITCHING) {
                begun.exchange.responded(status);
            } else {
                begun.informed = true;
            }
        }
        return null;
    }

    /** Request or answer are over; there is a result when both are. */
    private @Nullable Crossing terminated(Object exchange) {
        JettyTry begun = byExchange.get(exchange);
        return begun == null
                ? null
                : new Crossing() {
                    @Override
                    public void exit(@Nullable Object[] arguments) {
                        if (returned != null && (begun.exchange.hasResponse() || begun.informed)) {
                            ended(begun.exchange, inside.failure(returned));
                        }
                    }
                };
    }

    private static void ended(Exchange exchange, @Nullable Throwable failure) {
        if (failure == null) {
            exchange.bodyEnded();
        } else if (failure instanceof TimeoutException) {
            exchange.ended(Outcome.timedOut(failure));
        } else {
            exchange.failed(failure);
        }
    }

    /** A connection of HTTP/1.1 ends while a request is being sent on it. */
    private @Nullable Crossing closing(Object connection, @Nullable Object[] arguments) {
        Object cause = arguments[0];
        Object exchange = inside.underWay(connection);
        // A request that the application has given up takes its connection with it.
        if (cause != null
                && exchange != null
                && byExchange.get(exchange) != null
                && inside.abortCause(inside.request(exchange)) == null) {
            breaks.put(cause, true);
        }
        return null;
    }

    private @Nullable Crossing breaking(@Nullable Object[] arguments) {
        if (arguments[0] != null) {
            breaks.put(arguments[0], true);
        }
        return null;
    }

    private @Nullable Crossing breakingBy(@Nullable Object[] arguments) {
        Supplier<?> causes = (Supplier<?>) arguments[0];
        if (causes != null) {
            Supplier<Object> noting = () -> {
                Object cause = causes.get();
                if (cause != null) {
                    breaks.put(cause, true);
                }
                return cause;
            };
            arguments[0] = noting;
        }
        return null;
    }

    /** No connection came about: what waits for one goes to other servers. */
    private @Nullable Crossing refused(Object destination, @Nullable Object[] arguments) {
        Throwable cause = (Throwable) arguments[0];
        if (cause == null || address(destination) == null) {
            return null;
        }
        for (Object exchange : inside.waiting(destination)) {
            JettyTry begun = byExchange.get(exchange);
            if (begun == null || !isConnectFailure(cause)) {
                inside.abortRequest(inside.request(exchange), cause);
            } else if (inside.takeOut(destination, exchange)) {
                long delay = begun.exchange.fail(Outcome.connectFailed(cause), true);
                if (delay < 0) {
                    inside.abort(exchange, cause);
                } else {
                    Failing failing = new Failing(begun, exchange, destination);
                    Delays.run(delay, () -> failing.goOn(() -> inside.abort(exchange, cause)));
                }
            }
        }
        return Skip.returning(null);
    }

    private static boolean isConnectFailure(Throwable cause) {
        return cause instanceof IOException || cause instanceof TimeoutException;
    }

    /** What is done where an exchange fails before its answer. */
    private final class Failing {
        private final JettyTry begun;
        private final Object exchange;
        private final Object destination;

        Failing(JettyTry begun, Object exchange, Object destination) {
            this.begun = begun;
            this.exchange = exchange;
            this.destination = destination;
        }

        void completed(Object result) {
            Exchange running = begun.exchange;
            Throwable failure = inside.failure(result);
            Object request = inside.request(exchange);
            Throwable givenUp = inside.abortCause(request);
            boolean broken = givenUp != null && breaks.get(givenUp) != null;
            long delay = -1;
            if (givenUp != null && !broken && !(givenUp instanceof TimeoutException)) {
                running.dropped();
            } else if (failure == null || failure instanceof TimeoutException || running.hasResponse()) {
                ended(running, failure);
            } else if (!(failure instanceof IOException)) {
                running.dropped();
            } else {
                Outcome outcome = running.failure(failure);
                boolean mayRepeat = outcome.kind().nothingSent() || running.isRepeatable();
                delay = running.fail(outcome, mayRepeat && inside.rewind(request));
            }
            if (delay < 0) {
                inside.tell(exchange, destination, result);
            } else {
                // A time limit of the application's that ran out at the same moment stays: nothing is sent after it.
                if (broken && givenUp != null) {
                    inside.revive(request, givenUp);
                }
                Delays.run(delay, () -> goOn(() -> inside.tell(exchange, destination, result)));
            }
        }

        void goOn(Runnable givingUp) {
            if (inside.abortCause(inside.request(exchange)) != null) {
                begun.exchange.dropped();
            }
            if (begun.exchange.proceed() == null) {
                givingUp.run();
                return;
            }
            Object next = inside.destination(
                    inside.client(destination),
                    inside.origin(begun.logical, ServerAddress.of(begun.exchange, begun.logical.getAddress())));
            Sending outer = sending.get();
            Sending now = new Sending(inside.request(exchange));
            now.begun = begun;
            sending.set(now);
            Object again;
            try {
                // Its end must not be taken for the end of what follows.
                byExchange.remove(exchange);
                again = inside.instead(exchange, next);
            } finally {
                leave(outer);
            }
            inside.send(next, again);
        }
    }

    /** A request that is about to be sent. */
    private static final class Sending {
        final Object request;

        @Nullable
        JettyTry begun;
        /** Whether one of Jetty's exchanges has come of it. */
        boolean attached;

        Sending(Object request) {
            this.request = request;
        }
    }

    /** What is known of an exchange of Jetty's; holds nothing that leads back to it. */
    private static final class JettyTry {
        final Exchange exchange;
        final Origin logical;
        /** An answer has come that is none yet, such as 100. */
        volatile boolean informed;

        JettyTry(Exchange exchange, Origin logical) {
            this.exchange = exchange;
            this.logical = logical;
        }
    }
}
