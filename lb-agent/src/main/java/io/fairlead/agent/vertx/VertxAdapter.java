package io.fairlead.agent.vertx;

import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HookMap;
import io.fairlead.agent.route.ServerField;
import io.fairlead.agent.route.TargetFacts;
import io.fairlead.agent.route.WeakIdentityMap;
import io.netty.buffer.ByteBuf;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import java.net.ConnectException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The tries of Vert.x' HTTP client; see the package. */
public final class VertxAdapter implements Adapter {
    private final WeakIdentityMap<Sending> byRequest = new WeakIdentityMap<>();

    /** For the agent. */
    public VertxAdapter() {}

    @Override
    public Map<String, Hook> hooks(ClientContext context) throws ReflectiveOperationException {
        Inside inside = new Inside();
        Tries tries = new Tries(inside, byRequest);
        return new HookMap()
                .with("request", (self, arguments) -> request(context, inside, tries, self, arguments[0]))
                .with("requestTo", (self, arguments) -> {
                    return handing(request(context, inside, tries, self, arguments[0]), arguments[1]);
                })
                .with("write", (self, arguments) -> {
                    Sending sending = sending(self);
                    if (sending != null) {
                        sending.write(
                                (ByteBuf) arguments[0],
                                Boolean.TRUE.equals(arguments[1]),
                                Boolean.TRUE.equals(arguments[2]));
                    }
                    return null;
                })
                .with("failed", (self, arguments) -> failed(tries, self, (Throwable) arguments[0]))
                .with("response", (self, arguments) -> response(self, (HttpClientResponse) arguments[0]))
                .with("reset", (self, arguments) -> reset(inside, self, (Throwable) arguments[0]))
                .with("uri", (self, arguments) -> uri(self))
                .tell("ended", this::ended)
                .build();
    }

    private @Nullable Sending sending(@Nullable Object request) {
        return request == null ? null : byRequest.get(request);
    }

    private static @Nullable Crossing request(
            ClientContext context, Inside inside, Tries tries, @Nullable Object self, @Nullable Object given)
            throws ReflectiveOperationException {
        HttpClient client = (HttpClient) self;
        RequestOptions options = (RequestOptions) given;
        if (client == null || options == null || options instanceof LeadingOptions) {
            return null;
        }
        HttpClientOptions defaults = inside.defaults(client);
        String host = options.getHost() == null ? defaults.getDefaultHost() : options.getHost();
        int port = options.getPort() == null ? defaults.getDefaultPort() : options.getPort();
        boolean secure = options.isSsl() == null ? defaults.isSsl() : options.isSsl();
        Service service = context.service(secure ? "https" : "http", host);
        String telling = ServerField.name();
        if (service == null && telling != null && options.getHeaders() != null) {
            // A redirect to another host takes the fields of the hop before along.
            options.getHeaders().remove(telling);
        }
        if (service == null
                || options.getMethod() == null
                || options.getURI() == null
                || inside.isRouted(client, options, port, host)) {
            return null;
        }
        Exchange exchange;
        try {
            exchange = Exchange.begin(service, host, facts(options, host));
        } catch (NoEndpointException e) {
            return Skip.returning(Future.failedFuture(new ConnectException(e.getMessage())));
        }
        try {
            RequestOptions logical = new LeadingOptions(options).setHost(host).setPort(port);
            return Skip.returning(tries.obtain(new Call(client, inside.context(client), logical, exchange)));
        } catch (RuntimeException e) {
            // The client is closed, say.
            exchange.dropped();
            return Skip.throwing(e);
        }
    }

    /** Fields that the application adds once it has a connection are not among them. */
    private static TargetFacts facts(RequestOptions options, String host) {
        MultiMap headers = options.getHeaders();
        return new TargetFacts(
                options.getMethod().name(), options.getURI(), host, name -> headers == null ? null : headers.get(name));
    }

    /** The same for who hands over a handler in the place of taking a future. */
    @SuppressWarnings("unchecked") // The types are the method's.
    private static @Nullable Crossing handing(@Nullable Crossing request, @Nullable Object handler) throws Exception {
        if (request == null || handler == null) {
            return request;
        }
        request.exit(new Object[0]);
        if (request.thrown != null) {
            return Skip.throwing(request.thrown);
        }
        Future<HttpClientRequest> future = (Future<HttpClientRequest>) request.returned;
        if (future != null) {
            future.onComplete((Handler<AsyncResult<HttpClientRequest>>) handler);
        }
        return Skip.returning(null);
    }

    private @Nullable Crossing failed(Tries tries, @Nullable Object request, @Nullable Throwable failure) {
        Sending sending = sending(request);
        if (sending == null || request == null || failure == null) {
            return null;
        }
        Exchange exchange = sending.call.exchange;
        if (exchange.hasEnded()) {
            return null;
        }
        if (exchange.hasResponse()) {
            exchange.ended(Outcome.failure(failure));
            return null;
        }
        return tries.isSentAgain((HttpClientRequest) request, sending, failure) ? Skip.returning(null) : null;
    }

    private @Nullable Crossing response(@Nullable Object request, @Nullable HttpClientResponse response) {
        Sending sending = sending(request);
        if (sending != null && response != null) {
            sending.call.exchange.responded(response.statusCode());
        }
        return null;
    }

    /** The application gives a request up, or the client does, when its time is over. */
    private @Nullable Crossing reset(Inside inside, @Nullable Object request, @Nullable Throwable cause) {
        Sending sending = sending(request);
        if (sending == null || cause == null) {
            return null;
        }
        Exchange exchange = sending.call.exchange;
        if (cause instanceof TimeoutException && !exchange.hasResponse()) {
            exchange.ended(Outcome.timedOut(cause));
        }
        exchange.dropped();
        HttpClientRequest replacement = sending.replacement();
        return replacement == null
                ? null
                : new Crossing() {
                    @Override
                    public void exit(@Nullable Object[] arguments) {
                        inside.reset(replacement, cause);
                    }
                };
    }

    private @Nullable Crossing uri(@Nullable Object request) {
        Sending sending = sending(request);
        return sending == null
                ? null
                : new Crossing() {
                    @Override
                    public void exit(@Nullable Object[] arguments) {
                        if (returned != null) {
                            returned = sending.seen((String) returned);
                        }
                    }
                };
    }

    private void ended(Object response) {
        Sending sending = sending(((HttpClientResponse) response).request());
        if (sending != null) {
            sending.call.exchange.bodyEnded();
        }
    }
}
