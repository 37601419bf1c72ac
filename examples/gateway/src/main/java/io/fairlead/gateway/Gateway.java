package io.fairlead.gateway;

import io.fairlead.LoadBalancers;
import io.fairlead.servlet.ProxyFilter;
import io.fairlead.servlet.SharedSelectors;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.Graceful;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: the proxy filter in a servlet context on one server, the admin endpoints on another, so that they
 * answer while the first one drains.
 */
final class Gateway {
    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);
    /** So long those that are cut off are given to be told so. */
    private static final Duration CUT_OFF_LIMIT = Duration.ofSeconds(1);

    private static final int EVICTED_A_MINUTE = 10;

    private final LoadBalancers balancers;
    private final ProxyFilter filter;
    private final Server proxy = new ProxyServer(threads("gateway"));
    private final Server admin = new Server(threads("admin"));
    private final Drain drain;
    private final ServerConnector http;
    private final @Nullable ServerConnector https;
    private final @Nullable ServerConnector adminHttp;

    private Gateway(Options options, @Nullable Identity identity, LoadBalancers balancers, ProxyFilter filter)
            throws BindFailedException {
        this.balancers = balancers;
        this.filter = filter;
        proxy.setErrorHandler(new Problems(filter::accessLog));
        admin.setErrorHandler(new Problems(() -> null));
        ConnectTunnels connects =
                new ConnectTunnels(new Offload(context(filter), filter::isQuick), balancers, filter::accessLog);
        drain = new Drain(connects, () -> filter.tunnels() + connects.count());
        proxy.setHandler(drain);
        admin.setHandler(new AdminHandler(balancers, () -> !drain.isDraining(), options.host()));
        SharedSelectors selectors = new SharedSelectors();
        filter.share(selectors);
        http = Connectors.plain(proxy, selectors, options.host(), options.port());
        Options.Tls tls = options.tls();
        https = tls == null || identity == null
                ? null
                : Connectors.secure(proxy, selectors, options.host(), tls.port(), identity);
        Integer adminPort = options.adminPort();
        adminHttp = adminPort == null ? null : Connectors.http1(admin, options.host(), adminPort);
    }

    /**
     * Binds every port, then starts to serve.
     *
     * @param identity certificate and key of HTTPS; null where the options have none
     * @param balancers closed when the gateway stops
     * @param filter closed when the gateway stops
     */
    static Gateway start(Options options, @Nullable Identity identity, LoadBalancers balancers, ProxyFilter filter)
            throws Exception {
        Gateway gateway = new Gateway(options, identity, balancers, filter);
        gateway.proxy.start();
        if (gateway.adminHttp != null) {
            gateway.admin.start();
        }
        return gateway;
    }

    /** Where it listens, a line an address. */
    String addresses() {
        StringBuilder lines = new StringBuilder();
        lines.append("fairlead listening on http://").append(Connectors.authority(http));
        if (https != null) {
            lines.append("\nfairlead listening on https://").append(Connectors.authority(https));
        }
        if (adminHttp != null) {
            lines.append("\nfairlead admin on http://").append(Connectors.authority(adminHttp));
        }
        return lines.toString();
    }

    /** Takes no new connection, waits for the requests under way, 30 s at most, and ends everything. */
    void stop() throws InterruptedException {
        stop(DRAIN_LIMIT);
    }

    /** @param limit how long requests under way are waited for */
    void stop(Duration limit) throws InterruptedException {
        drain.begin();
        stopAccepting(http);
        if (https != null) {
            stopAccepting(https);
        }
        if (!drain.await(limit)) {
            log.warn("requests or tunnels were still under way after {} s and are cut off", limit.toSeconds());
            cutOff();
        }
        LifeCycle.stop(proxy);
        balancers.close();
        LifeCycle.stop(admin);
    }

    /**
     * Ends the filter before the connections: it takes servers' that are closed for servers that fail, and would send the
     * requests to others; and clients whose connections are still there can be told.
     */
    private void cutOff() throws InterruptedException {
        drain.refuse();
        filter.destroy();
        // Tunnels have no more to be told.
        boolean unused = drain.awaitRequests(CUT_OFF_LIMIT);
    }

    private static void stopAccepting(ServerConnector connector) {
        // These futures end with the connections; what stopping waits for is the requests.
        CompletableFuture<Void> unused = connector.shutdown();
        // HTTP/2 sessions are told to open no further stream.
        unused = Graceful.shutdown(connector);
    }

    private static ServletContextHandler context(ProxyFilter filter) {
        ServletContextHandler context = new ServletContextHandler("/", ServletContextHandler.NO_SESSIONS);
        FilterHolder holder = new FilterHolder(filter);
        holder.setAsyncSupported(true);
        context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new NotFound(), "/*");
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        // What comes to an error there has gone through the filter, which tells of it.
        context.setErrorHandler(new Problems(() -> null));
        return context;
    }

    private static QueuedThreadPool threads(String name) {
        QueuedThreadPool threads = new QueuedThreadPool();
        // Else one thread a minute goes, and those of a burst stay for hours.
        threads.setMaxEvictCount(EVICTED_A_MINUTE);
        threads.setName(name);
        return threads;
    }
}
