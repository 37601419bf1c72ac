package io.fairlead.servlet;

import io.fairlead.Endpoint;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpUpgrader;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.transport.HttpConversation;
import org.eclipse.jetty.client.transport.HttpRequest;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.HostPort;
import org.jspecify.annotations.Nullable;

/**
 * A request to one server. Other than its superclass it takes method, path and query as they are, never parsing them as
 * a URI, and tells its {@link Owner} directly how far it has come.
 */
final class UpstreamRequest extends HttpRequest {
    /** Keeps what needs a connection of its own from those that are kept alive. */
    static final String FRESH = "fresh";

    private static final URI NOWHERE = URI.create("http://nowhere");

    private final Owner owner;
    private final String method;
    private final String path;
    private final @Nullable String query;
    private final boolean h2c;
    /** What HTTP/2 says instead of Host, once it is known that HTTP/2 is spoken. */
    private volatile @Nullable HostPort authority;

    private @Nullable Upgrader upgrader;

    UpstreamRequest(
            HttpClient client, Owner owner, Endpoint endpoint, String method, String path, @Nullable String query) {
        super(client, new HttpConversation(), NOWHERE);
        this.owner = owner;
        this.method = method;
        this.path = path;
        this.query = query;
        this.h2c = endpoint.isH2c();
        scheme(endpoint.scheme());
        host(endpoint.host());
        port(endpoint.port());
        // The idle time limit is for connections that wait in the pool; this one is watched by TryLimits.
        idleTimeout(0, TimeUnit.MILLISECONDS);
    }

    /** Is told how far a request has come, by threads of Jetty's client. */
    interface Owner {
        /** A connection has been assigned, and nothing has been written on it. */
        void begun(@Nullable Connection assigned);

        /** The whole request has been written. */
        void sent();

        /** An interim answer has come: 100, 102 or 103. */
        default void announced(Response interim) {}
    }

    @Override
    public String getMethod() {
        return method;
    }

    @Override
    public String getPath() {
        return path;
    }

    @Override
    public @Nullable String getQuery() {
        return query;
    }

    @Override
    public Request path(String newPath) {
        throw new UnsupportedOperationException("the path of this request is fixed");
    }

    /** Null: only cookies, authentication and redirects need it, and a proxy does none of them. */
    @Override
    public @Nullable URI getURI() {
        return null;
    }

    /** Lets the request have a connection that has carried none before, and will carry none after it. */
    void onFreshConnection() {
        tag(FRESH);
        if (upgrader == null) {
            headers(fields -> fields.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE));
        }
    }

    /** Lets the connection leave the client when the server agrees to change the protocol. */
    void mayUpgrade() {
        upgrader = new Upgrader();
        attribute(HttpUpgrader.Factory.class.getName(), upgrader);
    }

    /** The connection of a request that has been answered with a change of protocol. */
    static EndPoint endPoint(Result answered) {
        Object endPoint =
                ((HttpRequest) answered.getRequest()).getConversation().getAttribute(EndPoint.class.getName());
        if (endPoint instanceof EndPoint connection) {
            return connection;
        }
        throw new IllegalStateException("the client keeps the connection of a request that was upgraded");
    }

    /** Keeps Jetty's client from doing by itself what the exchange does. */
    private static final class Upgrader implements HttpUpgrader.Factory, HttpUpgrader {
        @Override
        public HttpUpgrader newHttpUpgrader(HttpVersion version) {
            return this;
        }

        @Override
        public void prepare(Request request) {}

        @Override
        public void upgrade(Response response, EndPoint endPoint, Callback callback) {
            callback.succeeded();
        }
    }

    /**
     * Lets the server say whether it wants the body. Jetty's client is not to know: the body itself waits, in whatever
     * protocol.
     */
    void expectContinue() {
        headers(fields -> fields.add(new HttpField((HttpHeader) null, "Expect", "100-continue")));
    }

    /** The server has announced an answer (RFC 9110, 15.2). */
    void announced(Response interim) {
        owner.announced(interim);
    }

    /** Whether the server speaks HTTP/2 without TLS. */
    boolean isH2c() {
        return h2c;
    }

    /** Whether it may end in another protocol, which HTTP/2 has no way to. */
    boolean isUpgrade() {
        return upgrader != null;
    }

    /** Whether the connection that it was given is one that is shared with others. */
    boolean isMultiplexed() {
        return getVersion() == HttpVersion.HTTP_2;
    }

    /** Where it is sent; and, once that is settled, the host that it is for, which HTTP/2 takes from here. */
    @Override
    public String getHost() {
        HostPort known = authority;
        return known == null ? super.getHost() : known.getHost();
    }

    @Override
    public int getPort() {
        HostPort known = authority;
        return known == null ? super.getPort() : known.getPort();
    }

    /** HTTP/2 has the host as a pseudo-field, and frames bodies by itself. */
    private void toHttp2() {
        headers(fields -> {
            String host = fields.get(HttpHeader.HOST);
            fields.remove(HttpHeader.HOST);
            fields.remove(HttpHeader.TRANSFER_ENCODING);
            fields.remove(HttpHeader.CONNECTION);
            if (host != null) {
                authority = new HostPort(host);
            }
        });
    }

    @Override
    public void notifyBegin() {
        if (isMultiplexed()) {
            toHttp2();
        }
        owner.begun(getConnection());
    }

    @Override
    public void notifySuccess() {
        owner.sent();
    }

    /** Ends the request if it has not ended. */
    @SuppressWarnings("FutureReturnValueIgnored") // How it ended is told by its listeners.
    void giveUp(Throwable cause) {
        abort(cause);
    }
}
