package io.fairlead.agent.okhttp;

import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.RequestFacts;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HookMap;
import io.fairlead.agent.route.TargetFacts;
import io.fairlead.agent.route.WeakIdentityMap;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.List;
import java.util.Map;
import okhttp3.Address;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okhttp3.Route;
import org.jspecify.annotations.Nullable;

/** The tries of OkHttp; see the package. */
public final class OkHttpAdapter implements Adapter {
    private static final int SWITCHING = 101;

    private @Nullable ClientContext context;
    private final WeakIdentityMap<Hop> byCall = new WeakIdentityMap<>();
    /** The URLs of addresses, by which a connection that is kept tells where it leads. */
    private final WeakIdentityMap<ServerDns> byUrl = new WeakIdentityMap<>();

    /** The call that this thread carries, while OkHttp's own part of the chain runs; inner calls of interceptors nest. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Hop> current = new ThreadLocal<>();

    /** For the agent. */
    public OkHttpAdapter() {}

    @Override
    public Map<String, Hook> hooks(ClientContext given) {
        context = given;
        return new HookMap()
                .with("run", (self, arguments) -> run(arguments))
                .with("prepare", (self, arguments) -> prepare(arguments))
                .with("address", (self, arguments) -> address())
                .with("host", (self, arguments) -> host(arguments))
                .with("hasRoute", (self, arguments) -> hasRoute())
                .with("sameHost", (self, arguments) -> sameHost(arguments))
                .with("sameConnection", (self, arguments) -> sameConnection())
                .with("healthy", (self, arguments) -> healthy(self, arguments))
                .with("socket", (self, arguments) -> socket(self))
                .with("bridge", (self, arguments) -> bridge(arguments))
                .with("send", (self, arguments) -> send(arguments))
                .with("recover", (self, arguments) -> recover(arguments))
                .tell("cancel", this::cancel)
                .build();
    }

    /** All hops of a call. */
    private Crossing run(@Nullable Object[] arguments) {
        Interceptor.Chain chain = (Interceptor.Chain) arguments[0];
        Hop outer = current.get();
        Hop hop = new Hop();
        current.set(hop);
        if (chain != null) {
            Call call = chain.call();
            byCall.put(call, hop);
            hop.request = chain.request();
            while (byCall.pollCollected() != null || byUrl.pollCollected() != null) {
                // Its body, if it was never read, is the connection's own leak.
            }
        }
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] same) {
                Exchange exchange = hop.exchange;
                if (thrown != null && exchange != null && !exchange.hasEnded()) {
                    if (isRunAgain(hop, thrown)) {
                        hop.moved = true;
                        hop.count = 0;
                        again = true;
                        return;
                    }
                    exchange.failed(thrown);
                }
                if (exchange != null && hop.cancelled && isReset(thrown)) {
                    // As OkHttp says it itself, once it sees that the call that it would go on with was given up.
                    thrown = new IOException("Canceled");
                }
                if (outer == null) {
                    current.remove();
                } else {
                    current.set(outer);
                }
            }
        };
    }

    private static boolean isReset(@Nullable Throwable failure) {
        return failure != null && failure.getClass().getName().equals("okhttp3.internal.http2.StreamResetException");
    }

    /** Only where {@code recover} could not go on: in version 3.12. */
    private boolean isRunAgain(Hop hop, Throwable failure) {
        Exchange exchange = hop.exchange;
        return exchange != null
                && hop.count == 1
                && failure instanceof IOException
                && OldVersions.IS_3_12
                && next(hop, exchange, (IOException) failure);
    }

    private @Nullable Crossing prepare(@Nullable Object[] arguments) {
        Hop hop = current.get();
        if (hop != null) {
            hop.request = (Request) arguments[0];
            if (hop.moved) {
                arguments[1] = true;
            }
        }
        return null;
    }

    private @Nullable Crossing address() {
        Hop hop = current.get();
        return hop == null
                ? null
                : new Crossing() {
                    @Override
                    public void exit(@Nullable Object[] arguments) {
                        if (thrown == null && returned != null) {
                            lead(this, hop, (Address) returned);
                        }
                    }
                };
    }

    /** Looks whether an address that OkHttp has made is a service's, and makes it lead to a server. */
    private void lead(Crossing crossing, Hop hop, Address logical) {
        Exchange exchange = hop.exchange;
        if (hop.moved && exchange != null) {
            hop.moved = false;
        } else {
            if (exchange != null && !exchange.hasEnded()) {
                exchange.dropped();
            }
            exchange = begin(crossing, hop, logical);
            hop.exchange = exchange;
            hop.count++;
        }
        hop.sent = false;
        if (exchange == null) {
            hop.address = logical;
            return;
        }
        exchange.reusing();
        ServerDns dns = new ServerDns(logical.url().host(), exchange.connecting(), logical.dns());
        Address leading = new Address(
                logical.url().host(),
                logical.url().port(),
                dns,
                logical.socketFactory(),
                logical.sslSocketFactory(),
                logical.hostnameVerifier(),
                logical.certificatePinner(),
                logical.proxyAuthenticator(),
                logical.proxy(),
                logical.protocols(),
                logical.connectionSpecs(),
                logical.proxySelector());
        byUrl.put(leading.url(), dns);
        hop.address = leading;
        crossing.returned = leading;
    }

    private @Nullable Exchange begin(Crossing crossing, Hop hop, Address logical) {
        HttpUrl url = logical.url();
        Service service = context == null ? null : context.service(url.scheme(), url.host());
        Request request = hop.request;
        if (service == null || request == null || isProxied(logical)) {
            return null;
        }
        try {
            // The name is that of the address: a redirect's request may not be known here yet.
            return Exchange.begin(service, url.host(), facts(request));
        } catch (NoEndpointException e) {
            crossing.thrown = new ConnectException(e.getMessage());
            return null;
        }
    }

    /** With what interceptors have added; fields of the cookie jar join the request later. */
    private static RequestFacts facts(Request request) {
        String query = request.url().encodedQuery();
        String target = request.url().encodedPath() + (query == null ? "" : "?" + query);
        return new TargetFacts(request.method(), target, request.url().host(), request::header);
    }

    private static boolean isProxied(Address address) {
        Proxy proxy = address.proxy();
        if (proxy != null) {
            return proxy.type() != Proxy.Type.DIRECT;
        }
        List<Proxy> proxies = address.proxySelector().select(address.url().uri());
        return proxies != null && !proxies.isEmpty() && proxies.get(0).type() != Proxy.Type.DIRECT;
    }

    private @Nullable Crossing host(@Nullable Object[] arguments) {
        Hop hop = current.get();
        Exchange exchange = hop == null ? null : hop.exchange;
        HttpUrl url = (HttpUrl) arguments[0];
        boolean isHeader = Boolean.FALSE.equals(arguments[1]);
        if (exchange == null
                || exchange.hasEnded()
                || url == null
                || !isHeader
                || !exchange.host().equals(url.host())) {
            return null;
        }
        String own = exchange.ownHost();
        return own == null ? null : Skip.returning(own);
    }

    private @Nullable Crossing hasRoute() {
        Hop hop = current.get();
        return hop == null || hop.exchange == null ? null : Skip.returning(false);
    }

    /**
     * Asked of the connection that a redirect's hop before has left, by the URL of its address: it stays only where both
     * hops have the same server. Asked of the URL of a request, too, which is not ours to answer.
     */
    private @Nullable Crossing sameHost(@Nullable Object[] arguments) {
        Hop hop = current.get();
        Address now = hop == null ? null : hop.address;
        ServerDns held = now == null || arguments[0] == null ? null : byUrl.get(arguments[0]);
        return now == null || held == null || held.equals(now.dns()) ? null : Skip.returning(false);
    }

    private @Nullable Crossing sameConnection() {
        Hop hop = current.get();
        return hop == null || hop.exchange == null ? null : Skip.returning(false);
    }

    /**
     * OkHttp looks whether a kept connection still stands, but from 4.0 on not if it was used in the last ten seconds,
     * since it sends the request again if need be. What is not sent again is not to be sent on a dead connection.
     */
    private @Nullable Crossing healthy(@Nullable Object connection, @Nullable Object[] arguments) {
        Hop hop = current.get();
        Exchange exchange = hop == null ? null : hop.exchange;
        if (exchange != null && connection != null && !exchange.isRepeatable()) {
            arguments[0] = true;
            IdleTime.longAgo(connection);
        }
        return null;
    }

    private static @Nullable Crossing socket(@Nullable Object self) {
        Route route = (Route) self;
        if (route == null || !(route.address().dns() instanceof ServerDns)) {
            return null;
        }
        int port = ((ServerDns) route.address().dns()).port();
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] arguments) {
                InetSocketAddress socket = (InetSocketAddress) returned;
                if (socket != null && socket.getPort() != port) {
                    returned = socket.isUnresolved()
                            ? InetSocketAddress.createUnresolved(socket.getHostString(), port)
                            : new InetSocketAddress(socket.getAddress(), port);
                }
            }
        };
    }

    /** The server has been picked, and the fields of the request that is sent are put together. */
    private @Nullable Crossing bridge(@Nullable Object[] arguments) {
        Hop hop = current.get();
        Exchange exchange = hop == null ? null : hop.exchange;
        Interceptor.Chain chain = (Interceptor.Chain) arguments[0];
        if (exchange != null && chain != null) {
            exchange.tellServer((name, value) -> arguments[0] = TellingChain.of(chain, name, value));
        }
        return null;
    }

    private @Nullable Crossing send(@Nullable Object[] arguments) {
        Hop hop = current.get();
        Exchange exchange = hop == null ? null : hop.exchange;
        if (hop == null || exchange == null) {
            return null;
        }
        hop.sent = true;
        Interceptor.Chain chain = (Interceptor.Chain) arguments[0];
        if (chain != null) {
            hop.request = chain.request();
        }
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] same) {
                Response response = (Response) returned;
                if (thrown == null && response != null) {
                    exchange.responded(response.code());
                    returned = watched(response, exchange);
                } else if (thrown != null && !(thrown instanceof IOException)) {
                    exchange.dropped();
                }
            }
        };
    }

    private static Response watched(Response response, Exchange exchange) {
        ResponseBody body = response.body();
        if (body == null
                || body.contentLength() == 0
                || response.code() == SWITCHING
                || response.request().method().equals("HEAD")) {
            exchange.bodyEnded();
            return response;
        }
        return response.newBuilder().body(new WatchedBody(body, exchange)).build();
    }

    /** OkHttp asks whether a failed call goes on. */
    private @Nullable Crossing recover(@Nullable Object[] arguments) {
        Hop hop = current.get();
        Exchange exchange = hop == null ? null : hop.exchange;
        if (hop == null || exchange == null || OldVersions.IS_3_12) {
            return null;
        }
        IOException failure = (IOException) arguments[0];
        return failure == null ? null : Skip.returning(next(hop, exchange, failure));
    }

    private static boolean next(Hop hop, Exchange exchange, IOException failure) {
        Outcome outcome = hop.sent ? exchange.failure(failure) : Outcome.connectFailed(failure);
        Request request = hop.request;
        RequestBody body = request == null ? null : request.body();
        boolean available = outcome.kind().nothingSent() || body == null || !OldVersions.isOneShot(body);
        hop.moved = exchange.next(outcome, available) != null;
        return hop.moved;
    }

    private void cancel(Object call) {
        Hop hop = byCall.get(call);
        if (hop == null) {
            return;
        }
        hop.cancelled = true;
        Exchange exchange = hop.exchange;
        if (exchange != null) {
            exchange.dropped();
        }
    }
}
