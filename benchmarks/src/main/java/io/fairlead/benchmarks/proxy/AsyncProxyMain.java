package io.fairlead.benchmarks.proxy;

import org.eclipse.jetty.ee10.proxy.AsyncProxyServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty with its own AsyncProxyServlet, as its documentation sets it up. Arguments: the server's port. */
public final class AsyncProxyMain {
    private AsyncProxyMain() {}

    /** Serves until the process is ended. */
    public static void main(String[] args) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        ServletHolder proxy = new ServletHolder(new AsyncProxyServlet.Transparent());
        proxy.setInitParameter("proxyTo", "http://127.0.0.1:" + args[0]);
        proxy.setInitParameter("maxConnections", "1024");
        proxy.setAsyncSupported(true);
        context.addServlet(proxy, "/*");
        server.setHandler(context);
        server.start();
        ProxyMain.announce(connector.getLocalPort());
    }
}
