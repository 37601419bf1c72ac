package io.fairlead.gateway;

import io.fairlead.LoadBalancers;
import io.fairlead.config.AddressRange;
import io.fairlead.config.ConfigFile;
import io.fairlead.servlet.forward.Authority;
import io.fairlead.servlet.forward.ForbiddenAddressException;
import io.fairlead.servlet.forward.ForwardLog;
import io.fairlead.servlet.forward.ForwardRules;
import io.fairlead.servlet.forward.GuardedResolver;
import io.fairlead.servlet.log.AccessLog;
import io.fairlead.servlet.tunnel.EndPointEnd;
import io.fairlead.servlet.tunnel.Tunnel;
import io.fairlead.servlet.tunnel.Tunnels;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.ClientConnectionFactory;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.Transport;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.TunnelSupport;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.jspecify.annotations.Nullable;

/**
 * CONNECT (RFC 9110, 9.3.6) to the hosts of {@code http.forwardProxy}, over HTTP/1.1 and HTTP/2: joins the client's
 * connection, or stream, to one to the host. Without hosts the method is one like others.
 */
final class ConnectTunnels extends Handler.Wrapper {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    /** A client is not kept waiting for a name that means a dozen addresses of which none answers. */
    private static final int MOST_ADDRESSES = 3;
    /** The same whatever the reason: that is for the log, lest a stranger learn which names lead inside. */
    private static final String NOT_FORWARDED =
            "The proxy may not forward to this host and port. Whoever runs it lets them by http.forwardProxy in its"
                    + " configuration, and finds in its log what is missing there.";

    private final LoadBalancers balancers;
    private final Supplier<@Nullable AccessLog> log;
    private final ForwardLog refusals = new ForwardLog();
    private final ClientConnector connector = new ClientConnector();
    private volatile Known known = new Known(null, null);
    private @Nullable Tunnels tunnels;
    private @Nullable SocketAddressResolver resolver;

    /** @param log told of each CONNECT; null: nobody is */
    ConnectTunnels(Handler handler, LoadBalancers balancers, Supplier<@Nullable AccessLog> log) {
        super(handler);
        this.balancers = balancers;
        this.log = log;
        installBean(connector);
    }

    @Override
    protected void doStart() throws Exception {
        Executor threads = getServer().getThreadPool();
        connector.setExecutor(threads);
        connector.setScheduler(getServer().getScheduler());
        connector.setByteBufferPool(getServer().getByteBufferPool());
        connector.setConnectTimeout(CONNECT_LIMIT);
        connector.setSelectors(1);
        tunnels = new Tunnels(getServer().getScheduler(), getServer().getByteBufferPool());
        resolver = new GuardedResolver(
                new SocketAddressResolver.Async(threads, getServer().getScheduler(), CONNECT_LIMIT.toMillis()),
                this::rules,
                refusals);
        super.doStart();
    }

    @Override
    protected void doStop() throws Exception {
        Tunnels underWay = tunnels;
        if (underWay != null) {
            underWay.close();
        }
        super.doStop();
    }

    /** How many tunnels there are. */
    int count() {
        Tunnels underWay = tunnels;
        return underWay == null ? 0 : underWay.count();
    }

    /** Of the newest state of the file, read once for each. */
    private @Nullable ForwardRules rules() {
        ConfigFile file = balancers.configFile();
        Known now = known;
        if (now.file != file) {
            now = new Known(file, file == null ? null : ForwardRules.read(file));
            known = now;
        }
        return now.rules;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        TunnelSupport support = request.getTunnelSupport();
        ForwardRules rules = HttpMethod.CONNECT.is(request.getMethod()) ? rules() : null;
        if (rules == null || (support != null && support.getProtocol() != null)) {
            return super.handle(request, response, callback);
        }
        GatewayRecord record = GatewayRecord.begin(log.get(), request);
        String named = request.getHttpURI().getAuthority();
        Authority target = named == null ? null : Authority.parse(named, 0);
        if (support == null || target == null) {
            refuse(record, response, callback, HttpStatus.BAD_REQUEST_400);
        } else if (!rules.allows(target.host(), target.port())) {
            refusals.notListed(target, AddressRange.bare(String.valueOf(Request.getRemoteAddr(request))));
            refuse(record, response, callback, HttpStatus.FORBIDDEN_403);
        } else {
            new Attempt(record, request, response, callback, support.getEndPoint(), rules.idle()).start(target);
        }
        return true;
    }

    private static void refuse(@Nullable GatewayRecord record, Response response, Callback callback, int status) {
        String detail = status == HttpStatus.FORBIDDEN_403 ? NOT_FORWARDED : null;
        if (record != null) {
            record.refused(status, Problems.json(status, detail).length);
        }
        Problems.write(response, callback, status, detail);
    }

    private record Known(
            @Nullable ConfigFile file, @Nullable ForwardRules rules) {}

    /** One request's way to a connection; addresses are tried one after the other. */
    private final class Attempt {
        private final @Nullable GatewayRecord record;
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final EndPoint client;
        private final Duration idle;
        private volatile @Nullable Tunnel tunnel;

        private Attempt(
                @Nullable GatewayRecord record,
                Request request,
                Response response,
                Callback callback,
                EndPoint client,
                Duration idle) {
            this.record = record;
            this.request = request;
            this.response = response;
            this.callback = callback;
            this.client = client;
            this.idle = idle;
        }

        private void start(Authority target) {
            SocketAddressResolver names = resolver;
            if (names == null) {
                failed(new IllegalStateException("not started"));
                return;
            }
            names.resolve(
                    target.host(),
                    target.port(),
                    Map.of(),
                    Promise.from(addresses -> connect(addresses, 0), this::failed));
        }

        private void connect(List<InetSocketAddress> addresses, int index) {
            ClientConnectionFactory factory =
                    (endPoint, context) -> new EndPointEnd(endPoint, connector.getExecutor(), () -> {});
            Map<String, Object> context = new HashMap<>();
            context.put(Transport.CONTEXT_KEY, Transport.TCP_IP);
            context.put(ClientConnectionFactory.CONTEXT_KEY, factory);
            context.put(
                    ClientConnector.CONNECTION_PROMISE_CONTEXT_KEY,
                    Promise.<Connection>from(this::connected, failure -> {
                        if (index + 1 < Math.min(addresses.size(), MOST_ADDRESSES)) {
                            connect(addresses, index + 1);
                        } else {
                            failed(failure);
                        }
                    }));
            if (record != null) {
                record.trying();
            }
            connector.connect(addresses.get(index), context);
        }

        private void connected(Connection connection) {
            Tunnels underWay = tunnels;
            if (underWay == null || !(connection instanceof EndPointEnd server)) {
                connection.close();
                return;
            }
            if (record != null) {
                record.connected();
            }
            // Nobody counts what becomes of a host that a client has named.
            Tunnel opened = underWay.open(server, idle, cause -> ended());
            tunnel = opened;
            Joining joining = new Joining(opened);
            joining.end = new EndPointEnd(client, connector.getExecutor(), joining);
            request.setAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, joining.end);
            Http1.opensTunnel(request);
            response.setStatus(HttpStatus.OK_200);
            callback.succeeded();
        }

        private void ended() {
            Tunnel joined = tunnel;
            if (record != null) {
                record.ended(
                        HttpStatus.OK_200,
                        joined == null ? 0 : joined.bytesToServer(),
                        joined == null ? 0 : joined.bytesToClient());
            }
        }

        private void failed(Throwable cause) {
            int status = HttpStatus.BAD_GATEWAY_502;
            if (cause instanceof ForbiddenAddressException) {
                status = HttpStatus.FORBIDDEN_403;
            } else if (cause instanceof SocketTimeoutException || cause instanceof TimeoutException) {
                status = HttpStatus.GATEWAY_TIMEOUT_504;
            }
            refuse(record, response, callback, status);
        }
    }

    private static final class Joining implements Runnable {
        private final Tunnel tunnel;
        private volatile @Nullable EndPointEnd end;

        private Joining(Tunnel tunnel) {
            this.tunnel = tunnel;
        }

        @Override
        public void run() {
            EndPointEnd opened = end;
            if (opened != null) {
                tunnel.join(opened);
            }
        }
    }
}
