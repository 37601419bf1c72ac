package io.fairlead.servlet.containers;

import io.fairlead.servlet.ProxyFilter;
import io.fairlead.servlet.SharedSelectors;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;

/** Its selectors watch the connections to the servers, too. */
final class JettyEe11Container implements Container {
    private final SharedSelectors selectors = new SharedSelectors();
    private final QueuedThreadPool threads = new QueuedThreadPool();
    private final ArrayByteBufferPool buffers;
    private final Server server;
    private final HttpConfiguration http = new HttpConfiguration();
    private final ServerConnector connector;

    JettyEe11Container(Filter filter, Map<String, String> initParameters, String contextPath) throws Exception {
        buffers = Container.tracksBuffers(initParameters)
                ? new ArrayByteBufferPool.Tracking()
                : new ArrayByteBufferPool();
        server = new Server(threads, null, buffers);
        if (filter instanceof ProxyFilter proxy) {
            proxy.share(selectors);
        }
        connector =
                new ServerConnector(server, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http)) {
                    @Override
                    protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int count) {
                        return new ServerConnectorManager(executor, scheduler, count) {
                            @Override
                            protected ManagedSelector newSelector(int id) {
                                return selectors.newSelector(this, id);
                            }
                        };
                    }
                };
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(Container.idleMillis(initParameters));
        if (Container.isVirtual(initParameters)) {
            threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        }
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(contextPath.isEmpty() ? "/" : contextPath);
        FilterHolder holder = new FilterHolder(filter);
        holder.setName("proxy");
        holder.setAsyncSupported(true);
        holder.setInitParameters(initParameters);
        context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
        ServletHolder application = new ServletHolder(new ApplicationServlet());
        application.setAsyncSupported(true);
        context.addServlet(application, "/");
        // Escapes that Jetty refuses by default are the proxy's own business here.
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        http.setUriCompliance(UriCompliance.UNSAFE);
        server.setHandler(context);
        try {
            server.start();
        } catch (Exception e) {
            server.stop();
            throw e;
        }
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public List<String> lostBuffers() {
        return buffers instanceof ArrayByteBufferPool.Tracking tracking
                ? tracking.getLeaks().stream().map(Object::toString).toList()
                : List.of();
    }

    @Override
    public void stop() throws Exception {
        server.stop();
    }
}
