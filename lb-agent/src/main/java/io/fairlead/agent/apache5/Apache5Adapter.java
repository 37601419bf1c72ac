package io.fairlead.agent.apache5;

import io.fairlead.Endpoint;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.Held;
import io.fairlead.agent.route.HeldConnections;
import io.fairlead.agent.route.HookMap;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Map;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** The tries of Apache HttpClient 5, classic; see the package. */
public final class Apache5Adapter implements Adapter {
    private static final int REQUEST = 0;
    private static final int SCOPE = 1;
    private static final int OK = 200;

    private @Nullable ClientContext context;
    private final HeldConnections held = new HeldConnections();

    /** For the agent. */
    public Apache5Adapter() {}

    @Override
    public Map<String, Hook> hooks(ClientContext given) {
        context = given;
        return new HookMap()
                .with("execute", (self, arguments) -> execute(arguments))
                .with("acquire", (self, arguments) -> self == null ? null : acquire(self))
                .tell("connect", self -> connect())
                .tell("released", held::released)
                .tell("discarded", held::broken)
                .tell("cancelled", held::cancelled)
                .build();
    }

    private @Nullable Crossing execute(@Nullable Object[] arguments) {
        ClassicHttpRequest request = (ClassicHttpRequest) arguments[REQUEST];
        ExecChain.Scope scope = (ExecChain.Scope) arguments[SCOPE];
        if (context == null || request == null || scope == null || scope.route.getProxyHost() != null) {
            return null;
        }
        HttpHost target = scope.route.getTargetHost();
        Service service = context.service(target.getSchemeName(), target.getHostName());
        if (service == null) {
            return null;
        }
        Exchange exchange = held.again(scope.execRuntime, target.getHostName());
        if (exchange == null) {
            try {
                exchange =
                        Exchange.begin(service, target.getHostName(), new MessageFacts(request, target.getHostName()));
            } catch (NoEndpointException e) {
                return Skip.throwing(new ConnectException(e.getMessage()));
            }
            held.began(scope.execRuntime, exchange);
        }
        Run run = new Run(scope, request, exchange);
        IOException unknown = run.lead(arguments, exchange.endpoint());
        return unknown == null ? run : Skip.throwing(unknown);
    }

    private @Nullable Crossing acquire(Object runtime) {
        Exchange exchange = held.sending();
        return exchange == null
                ? null
                : new Crossing() {
                    @Override
                    public void exit(@Nullable Object[] arguments) {
                        if (thrown == null) {
                            held.opened(runtime);
                            if (!exchange.isRepeatable()) {
                                PooledConnection.closeIfStale(runtime);
                            }
                        }
                    }
                };
    }

    private void connect() {
        Exchange exchange = held.sending();
        if (exchange != null) {
            exchange.connecting();
        }
    }

    /** One run, or several where the request goes on to other servers. */
    private final class Run extends Crossing {
        private final ExecChain.Scope logical;
        private final ClassicHttpRequest request;
        private final Exchange exchange;

        Run(ExecChain.Scope logical, ClassicHttpRequest request, Exchange exchange) {
            this.logical = logical;
            this.request = request;
            this.exchange = exchange;
        }

        /** Makes the route lead to a server whose address is known; null, or why there is none. */
        @Nullable
        IOException lead(@Nullable Object[] arguments, Endpoint first) {
            Endpoint server = first;
            while (true) {
                try {
                    String ownHost = exchange.ownHost();
                    HttpRoute route = Routes.to(server, logical.route, ownHost != null);
                    arguments[SCOPE] = new ExecChain.Scope(
                            logical.exchangeId,
                            route,
                            logical.originalRequest,
                            logical.execRuntime,
                            logical.clientContext);
                    if (ownHost != null) {
                        request.setHeader("Host", ownHost);
                    }
                    exchange.tellServer(request::setHeader);
                    exchange.reusing();
                    held.enter(exchange);
                    return null;
                } catch (UnknownHostException e) {
                    Endpoint next = exchange.next(Outcome.connectFailed(e), true);
                    if (next == null) {
                        return e;
                    }
                    server = next;
                }
            }
        }

        @Override
        public void exit(@Nullable Object[] arguments) {
            Held connection = held.leave();
            Throwable failure = thrown;
            if (failure == null) {
                HttpResponse response = (HttpResponse) returned;
                exchange.responded(response == null ? OK : response.getCode());
                if (connection == null || connection.isReleased()) {
                    exchange.bodyEnded();
                }
                return;
            }
            if (connection == null || !(failure instanceof IOException) || logical.execRuntime.isExecutionAborted()) {
                // The pool gave none, or the application gave up.
                exchange.dropped();
                return;
            }
            Outcome outcome = exchange.failure(failure);
            Endpoint next = exchange.next(outcome, outcome.kind().nothingSent() || isRepeatable());
            if (next != null) {
                logical.execRuntime.discardEndpoint();
                again = lead(arguments, next) == null;
            }
        }

        private boolean isRepeatable() {
            HttpEntity entity = request.getEntity();
            return entity == null || entity.isRepeatable();
        }
    }
}
