package io.fairlead.agent.apache4;

import io.fairlead.Endpoint;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Addresses;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HeldConnections;
import io.fairlead.agent.route.HeldRun;
import io.fairlead.agent.route.HookMap;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.apache.http.HttpClientConnection;
import org.apache.http.HttpEntity;
import org.apache.http.HttpEntityEnclosingRequest;
import org.apache.http.HttpHost;
import org.apache.http.HttpResponse;
import org.apache.http.client.methods.HttpExecutionAware;
import org.apache.http.client.methods.HttpRequestWrapper;
import org.apache.http.conn.routing.HttpRoute;
import org.jspecify.annotations.Nullable;

/** The tries of Apache HttpClient 4; see the package. */
public final class Apache4Adapter implements Adapter {
    /** Before HttpCore 4.4 hosts of the same name and port are the same, whatever their addresses. */
    private static final boolean POOLED_BY_ADDRESS = !host(1).equals(host(2));

    private static final int ROUTE = 0;
    private static final int REQUEST = 1;
    private static final int EXECUTION = 3;
    private static final int CONNECTION = 2;

    private @Nullable ClientContext context;
    /** What became of a request object, whose own retry by the client comes with the same one. */
    private final HeldConnections held = new HeldConnections();

    /** For the agent. */
    public Apache4Adapter() {}

    @Override
    public Map<String, Hook> hooks(ClientContext given) {
        context = given;
        return new HookMap()
                .with("execute", (self, arguments) -> execute(arguments))
                .with("connect", (self, arguments) -> connect())
                .with("held", (self, arguments) -> leased(self, arguments))
                .tell("released", held::released)
                .tell("aborted", held::broken)
                .tell("cancelled", held::cancelled)
                .build();
    }

    private @Nullable Crossing execute(@Nullable Object[] arguments) {
        HttpRoute route = (HttpRoute) arguments[ROUTE];
        HttpRequestWrapper request = (HttpRequestWrapper) arguments[REQUEST];
        if (context == null || route == null || request == null || route.getProxyHost() != null) {
            return null;
        }
        HttpHost target = route.getTargetHost();
        Service service = context.service(target.getSchemeName(), target.getHostName());
        if (service == null) {
            return null;
        }
        String host = target.getHostName();
        try {
            Exchange exchange = held.exchange(request, service, host, () -> Requests.facts(request, host));
            return new Run(route, request, (HttpExecutionAware) arguments[EXECUTION], exchange).begin(arguments);
        } catch (ConnectException e) {
            return Skip.throwing(e);
        }
    }

    private static HttpHost host(int last) {
        try {
            return new HttpHost(InetAddress.getByAddress("x", new byte[] {127, 0, 0, (byte) last}), 1, "http");
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable Crossing connect() {
        Exchange exchange = held.sending();
        if (exchange != null) {
            exchange.connecting();
        }
        return null;
    }

    /**
     * A connection has been got from the pool. What must not be sent twice is not sent on one that the server has
     * closed; the client only looks for that now and then.
     */
    private @Nullable Crossing leased(@Nullable Object holder, @Nullable Object[] arguments) throws IOException {
        Exchange exchange = held.sending();
        if (exchange == null || holder == null) {
            return null;
        }
        held.opened(holder);
        HttpClientConnection connection = (HttpClientConnection) arguments[CONNECTION];
        if (connection != null && connection.isOpen() && !exchange.isRepeatable() && connection.isStale()) {
            connection.close();
        }
        return null;
    }

    private final class Run extends HeldRun {
        private final HttpRoute logical;
        private final HttpRequestWrapper request;
        private final @Nullable HttpExecutionAware execution;
        private final Exchange exchange;

        Run(HttpRoute logical, HttpRequestWrapper request, @Nullable HttpExecutionAware execution, Exchange exchange) {
            super(held, exchange);
            this.logical = logical;
            this.request = request;
            this.execution = execution;
            this.exchange = exchange;
        }

        @Override
        protected void leadTo(Endpoint server, @Nullable Object[] arguments) throws UnknownHostException {
            arguments[ROUTE] = route(server);
            String ownHost = exchange.ownHost();
            if (ownHost != null) {
                request.setHeader("Host", ownHost);
            }
            exchange.tellServer(request::setHeader);
        }

        private HttpRoute route(Endpoint server) throws UnknownHostException {
            HttpHost target = logical.getTargetHost();
            boolean own = exchange.ownHost() != null || (!POOLED_BY_ADDRESS && !logical.isSecure());
            HttpHost to = own
                    ? new HttpHost(server.host(), server.port(), target.getSchemeName())
                    : new HttpHost(
                            Addresses.named(target.getHostName(), server), server.port(), target.getSchemeName());
            return new HttpRoute(to, logical.getLocalAddress(), logical.isSecure());
        }

        @Override
        protected int status(Object response) {
            return ((HttpResponse) response).getStatusLine().getStatusCode();
        }

        @Override
        protected boolean isAborted() {
            return execution != null && execution.isAborted();
        }

        @Override
        protected boolean isRepeatable() {
            if (!(request instanceof HttpEntityEnclosingRequest)) {
                return true;
            }
            HttpEntity entity = ((HttpEntityEnclosingRequest) request).getEntity();
            return entity == null || entity.isRepeatable();
        }

        /** The application knows the logical name alone. */
        @Override
        protected Throwable seen(Throwable failure) {
            if (!(failure instanceof UnknownHostException)) {
                return failure;
            }
            UnknownHostException logicalOne = new UnknownHostException(exchange.host());
            logicalOne.initCause(failure);
            return logicalOne;
        }
    }
}
