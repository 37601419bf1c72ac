package io.fairlead.agent.apache5;

import io.fairlead.Endpoint;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HeldConnections;
import io.fairlead.agent.route.HeldRun;
import io.fairlead.agent.route.HookMap;
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
        String host = target.getHostName();
        try {
            Exchange exchange = held.exchange(scope.execRuntime, service, host, () -> Requests.facts(request, host));
            return new Run(scope, request, exchange).begin(arguments);
        } catch (ConnectException e) {
            return Skip.throwing(e);
        }
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

    private final class Run extends HeldRun {
        private final ExecChain.Scope logical;
        private final ClassicHttpRequest request;
        private final Exchange exchange;
        private final boolean saysLength;

        Run(ExecChain.Scope logical, ClassicHttpRequest request, Exchange exchange) {
            super(held, exchange);
            this.logical = logical;
            this.request = request;
            this.exchange = exchange;
            saysLength = Requests.saysLength(request);
        }

        @Override
        protected void leadTo(Endpoint server, @Nullable Object[] arguments) throws UnknownHostException {
            String ownHost = exchange.ownHost();
            HttpRoute route = Routes.to(server, logical.route, ownHost != null);
            arguments[SCOPE] = new ExecChain.Scope(
                    logical.exchangeId, route, logical.originalRequest, logical.execRuntime, logical.clientContext);
            if (ownHost != null) {
                request.setHeader("Host", ownHost);
            }
            exchange.tellServer(request::setHeader);
        }

        @Override
        protected int status(Object response) {
            return ((HttpResponse) response).getCode();
        }

        @Override
        protected boolean isAborted() {
            return logical.execRuntime.isExecutionAborted();
        }

        @Override
        protected boolean isRepeatable() {
            HttpEntity entity = request.getEntity();
            return entity == null || entity.isRepeatable();
        }

        @Override
        protected void beforeNext() {
            logical.execRuntime.discardEndpoint();
            if (!saysLength) {
                Requests.forgetLength(request);
            }
        }
    }
}
