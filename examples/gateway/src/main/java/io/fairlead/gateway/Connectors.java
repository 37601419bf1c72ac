package io.fairlead.gateway;

import io.fairlead.servlet.SharedSelectors;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.thread.Scheduler;

/** Jetty's connectors, set up as a proxy needs them and bound to their ports before anything else starts. */
final class Connectors {
    /** A connection on which nothing moves is kept this long; a request that waits for its server is not bound by it. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    /** Each keeps a thread of the pool's 200 for itself, and with HTTPS there are as many again. */
    private static final int MAX_SELECTORS = 32;

    /** One a processor: their threads do all the work. */
    private static final int SELECTORS =
            Math.min(MAX_SELECTORS, Runtime.getRuntime().availableProcessors());

    private static final int HEAD_BYTES = 32 * 1024;

    /** What the filter takes of a server, 64 KiB, and the fields that are added on the way. */
    private static final int MAX_ANSWER_HEAD_BYTES = 72 * 1024;

    /**
     * What Jetty would refuse by itself although it is a URI: the filter judges the path as it came, and sends it on as
     * it came. What is no URI at all stays refused.
     */
    private static final UriCompliance URIS = UriCompliance.DEFAULT.with(
            "PROXY",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT,
            UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT,
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_PARAMETER,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS,
            UriCompliance.Violation.BAD_UTF8_ENCODING,
            UriCompliance.Violation.TRUNCATED_UTF8_ENCODING);

    /** A URL with another host than Host is no reason to refuse: {@link TargetAuthority}. */
    private static final HttpCompliance HTTP =
            HttpCompliance.RFC9110.with("PROXY", HttpCompliance.Violation.MISMATCHED_AUTHORITY);

    /** RFC 7301, section 6. */
    private static final String ALPN_HTTP_1_1 = "http/1.1";

    private Connectors() {}

    /** HTTP/1.1 and h2c, bound. */
    static ServerConnector plain(Server server, SharedSelectors selectors, String host, int port)
            throws BindFailedException {
        HttpConfiguration http = configuration();
        return bound(new Watching(server, selectors, new Http1(http), new CleartextHttp2(http)), host, port);
    }

    /** HTTP/1.1 alone, bound. */
    static ServerConnector http1(Server server, String host, int port) throws BindFailedException {
        return bound(new ServerConnector(server, new Http1(configuration())), host, port);
    }

    /** HTTP/1.1 and h2 over TLS, chosen by ALPN, bound. */
    static ServerConnector secure(Server server, SharedSelectors selectors, String host, int port, Identity identity)
            throws BindFailedException {
        HttpConfiguration https = configuration();
        // Routers decide by Host; a name that the certificate lacks is the client's own matter.
        https.addCustomizer(new SecureRequestCustomizer(false));
        Http1 http1 = new Http1(https);
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(https);
        http2.setRateControlFactory(new FrameRates.Factory());
        // ALPN compares names by their bytes, and Jetty's name of HTTP/1.1 is not the registered one.
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory(http2.getProtocol(), ALPN_HTTP_1_1);
        alpn.setDefaultProtocol(http1.getProtocol());
        SslConnectionFactory tls = new SslConnectionFactory(identity.contexts(), alpn.getProtocol());
        return bound(new Watching(server, selectors, tls, alpn, http2, http1), host, port);
    }

    /** {@code HOST:PORT} as it stands in a URL. */
    static String authority(ServerConnector connector) {
        return authority(connector.getHost(), connector.getLocalPort());
    }

    private static String authority(String host, int port) {
        return (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }

    private static ServerConnector bound(ServerConnector connector, String host, int port) throws BindFailedException {
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE.toMillis());
        // Stopping waits for requests, not for connections: none is to be cut short because it is quiet.
        connector.setShutdownIdleTimeout(IDLE.toMillis());
        try {
            connector.open();
        } catch (IOException | UnresolvedAddressException e) {
            throw new BindFailedException("cannot listen on " + authority(host, port) + ": " + reason(e), e);
        }
        connector.getServer().addConnector(connector);
        return connector;
    }

    private static String reason(Exception failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof UnresolvedAddressException ? "no such host" : String.valueOf(root.getMessage());
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setUriCompliance(URIS);
        http.setHttpCompliance(HTTP);
        http.addCustomizer(new TargetAuthority());
        http.setRequestHeaderSize(HEAD_BYTES);
        http.setMaxResponseHeaderSize(MAX_ANSWER_HEAD_BYTES);
        return http;
    }

    /** Of connections that are watched throughout, by selectors that watch those to the servers, too. */
    private static final class Watching extends ServerConnector {
        private final SharedSelectors selectors;

        private Watching(Server server, SharedSelectors selectors, ConnectionFactory... factories) {
            super(server, new InlineExecutor(server.getThreadPool()), null, null, -1, SELECTORS, factories);
            this.selectors = selectors;
        }

        @Override
        protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int count) {
            return new ServerConnectorManager(executor, scheduler, count) {
                @Override
                protected ManagedSelector newSelector(int id) {
                    return selectors.newSelector(this, id);
                }
            };
        }

        @Override
        protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
            SocketChannelEndPoint endPoint = new ArmedEndPoint(channel, selector, key, getScheduler());
            endPoint.setIdleTimeout(getIdleTimeout());
            return endPoint;
        }
    }
}
