package io.fairlead.servlet;

import io.fairlead.tls.ClientTls;
import io.fairlead.tls.Pem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** A server of the tests that speaks HTTP/2, and TLS where it is told to. It answers with the request's body. */
@SuppressWarnings("try") // Jetty's stop says no more of what it throws.
final class JettyBackend implements AutoCloseable {
    /** What is seen of a request. */
    record Seen(
            String protocol,
            String method,
            String target,
            String authority,
            HttpFields fields,
            String body,
            HttpFields trailers,
            Object connection,
            String sni) {}

    private final Server server = new Server();
    private final ServerConnector connector;
    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final boolean secure;

    private JettyBackend(boolean secure, ConnectionFactory... factories) throws Exception {
        this.secure = secure;
        connector = new ServerConnector(server, 1, 1, factories);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Echo());
        server.start();
    }

    /** Speaks HTTP/2 without TLS, and nothing else. */
    static JettyBackend h2c() throws Exception {
        return new JettyBackend(false, new HTTP2CServerConnectionFactory(new HttpConfiguration()));
    }

    /**
     * Speaks TLS, and what ALPN says.
     *
     * @param certificate {@code server} or {@code named}
     * @param asksForCertificate whether clients must have one
     * @param protocols {@code h2}, {@code http/1.1}
     */
    static JettyBackend tls(String certificate, boolean asksForCertificate, String... protocols) throws Exception {
        HttpConfiguration http = new HttpConfiguration();
        http.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                "server",
                Pem.privateKey(pem(certificate + ".key")),
                new char[0],
                Pem.certificates(pem(certificate + ".pem")).toArray(new Certificate[0]));
        ssl.setKeyStore(keys);
        ssl.setKeyStorePassword("");
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", Pem.certificates(pem("ca.pem")).get(0));
        ssl.setTrustStore(trusted);
        ssl.setNeedClientAuth(asksForCertificate);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory(protocols);
        alpn.setDefaultProtocol(protocols[protocols.length - 1]);
        return new JettyBackend(
                true,
                new SslConnectionFactory(ssl, alpn.getProtocol()),
                alpn,
                new HTTP2ServerConnectionFactory(http),
                new HttpConnectionFactory(http));
    }

    /** The text of a PEM file of the tests. */
    static String pem(String file) throws IOException {
        try (InputStream in = ClientTls.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    String url() {
        return (secure ? "https" : "h2c") + "://127.0.0.1:" + port();
    }

    int port() {
        return connector.getLocalPort();
    }

    /** How many connections are open. */
    int connections() {
        return connector.getConnectedEndPoints().size();
    }

    Seen request() throws InterruptedException {
        Seen request = seen.poll(10, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("no request came");
        }
        return request;
    }

    int pendingRequests() {
        return seen.size();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }

    /** The names that the client asked for by SNI. */
    private static String sni(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData data
                        && data.sslSession() instanceof ExtendedSSLSession session
                ? session.getRequestedServerNames().toString()
                : "[]";
    }

    private final class Echo extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            String body = Content.Source.asString(request);
            HttpFields trailers = request.getTrailers();
            seen.add(new Seen(
                    request.getConnectionMetaData().getProtocol(),
                    request.getMethod(),
                    request.getHttpURI().getPathQuery(),
                    request.getHttpURI().getAuthority(),
                    HttpFields.build(request.getHeaders()).asImmutable(),
                    body,
                    trailers == null ? null : HttpFields.build(trailers).asImmutable(),
                    request.getConnectionMetaData().getId(),
                    sni(request)));
            String query = request.getHttpURI().getQuery();
            if ("break".equals(query)) {
                response.write(
                        false,
                        StandardCharsets.US_ASCII.encode("half"),
                        Callback.from(() -> callback.failed(new IOException("on purpose"))));
                return true;
            }
            if (trailers != null) {
                HttpFields back = HttpFields.build(trailers).put("X-Answer-Trailer", "yes");
                response.setTrailersSupplier(() -> back);
            }
            response.getHeaders()
                    .put("X-Protocol", request.getConnectionMetaData().getProtocol());
            if (trailers == null) {
                response.write(true, StandardCharsets.UTF_8.encode(body), callback);
            } else {
                // Without a length.
                response.write(
                        false,
                        StandardCharsets.UTF_8.encode(body),
                        Callback.from(() -> response.write(true, null, callback), callback::failed));
            }
            return true;
        }
    }
}
