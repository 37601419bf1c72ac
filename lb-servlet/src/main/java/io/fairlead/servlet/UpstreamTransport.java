package io.fairlead.servlet;

import io.fairlead.TransportSettings;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.eclipse.jetty.client.AbstractConnectionPool;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.ConnectionPool;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.MultiplexConnectionPool;
import org.eclipse.jetty.client.Origin;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.transport.HttpClientConnectionFactory;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.http.HttpScheme;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.ClientConnectionFactoryOverHTTP2;
import org.eclipse.jetty.http2.client.transport.internal.HttpConnectionOverHTTP2;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Transport;
import org.eclipse.jetty.util.ConcurrentPool;
import org.eclipse.jetty.util.Pool;
import org.jspecify.annotations.Nullable;

/**
 * Which protocol a server is spoken to in: HTTP/1.1 without TLS, what ALPN decides with it, and HTTP/2 without TLS where
 * its URL says so. The requests to one server share its HTTP/2 connection; each has an HTTP/1.1 connection to itself.
 */
final class UpstreamTransport extends HttpClientTransportDynamic {
    private static final Origin.Protocol HTTP_1 = new Origin.Protocol(List.of("http/1.1"), false);
    private static final Origin.Protocol H2C = new Origin.Protocol(List.of("h2c"), false);
    private static final Origin.Protocol NEGOTIATED = new Origin.Protocol(List.of("h2", "http/1.1"), true);
    /**
     * So many requests share one HTTP/2 connection, fewer where the server says so: its window must hold what their
     * clients do not take. So many also wait for the first one.
     */
    static final int MAX_STREAMS = 100;

    private final @Nullable SharedSelectors shared;
    private final boolean offersHttp2;
    private final int maxIdle;

    /** @param shared whose connections are preferred; null: selectors are not shared */
    UpstreamTransport(
            ClientConnector connector,
            HTTP2Client http2,
            TransportSettings settings,
            @Nullable SharedSelectors shared) {
        // The first is also taken of a server that does not know ALPN.
        super(connector, HttpClientConnectionFactory.HTTP11, new ClientConnectionFactoryOverHTTP2.HTTP2(http2));
        this.shared = shared;
        this.offersHttp2 = settings.http2();
        this.maxIdle = settings.maxIdleConnsPerHost();
        setConnectionPoolFactory(this::pool);
    }

    @Override
    public Origin newOrigin(Request request) {
        if (request.getTransport() == null) {
            request.transport(Transport.TCP_IP);
        }
        return getHttpClient().createOrigin(request, protocol(request));
    }

    private Origin.Protocol protocol(Request request) {
        if (request instanceof UpstreamRequest own) {
            if (own.isUpgrade()) {
                return HTTP_1;
            }
            if (own.isH2c()) {
                return H2C;
            }
        }
        return offersHttp2 && HttpScheme.HTTPS.is(request.getScheme()) ? NEGOTIATED : HTTP_1;
    }

    private ConnectionPool pool(Destination destination) {
        int max = destination.getHttpClient().getMaxConnectionsPerDestination();
        Origin.Protocol protocol = destination.getOrigin().getProtocol();
        if (HTTP_1.equals(protocol)) {
            Pool.Factory<Connection> single =
                    pools(max, () -> new ConcurrentPool<>(ConcurrentPool.StrategyType.FIRST, max));
            return maxIdle > 0 ? new FewIdle(destination, single, maxIdle) : new Single(destination, single);
        }
        boolean once = UpstreamRequest.FRESH.equals(destination.getOrigin().getTag());
        int streams = once || !H2C.equals(protocol) ? 1 : MAX_STREAMS;
        int maxStreams = once ? 1 : MAX_STREAMS;
        return new Shared(destination, pools(max, () -> connections(max, streams, maxStreams)), streams, once, maxIdle);
    }

    private Pool.Factory<Connection> pools(int max, Supplier<Pool<Connection>> maker) {
        SharedSelectors selectors = shared;
        return selectors == null ? maker::get : () -> new SelectorPools<>(selectors::ofThread, max, maker);
    }

    /** As Jetty makes them for connections with several streams, but for the limit. */
    private static Pool<Connection> connections(int max, int streams, int maxStreams) {
        ToIntFunction<Connection> allowed = MultiplexConnectionPool.newMaxMultiplexer(streams);
        return new ConcurrentPool<>(ConcurrentPool.StrategyType.FIRST, max, connection -> {
            int most = allowed.applyAsInt(connection);
            // Less than zero: the server has set no limit.
            return most < 0 ? maxStreams : Math.min(maxStreams, most);
        });
    }

    /** Of connections with one request at a time. */
    private static class Single extends AbstractConnectionPool {
        private Single(Destination destination, Pool.Factory<Connection> pools) {
            super(destination, pools, 1);
        }
    }

    /** Closes what would be one idle connection too many. */
    private static final class FewIdle extends Single {
        private final int most;

        private FewIdle(Destination destination, Pool.Factory<Connection> pools, int most) {
            super(destination, pools);
            this.most = most;
        }

        @Override
        public synchronized boolean release(Connection connection) {
            // Locked, lest several see the same place free.
            return getIdleConnectionCount() < most && super.release(connection);
        }
    }

    /** Of connections that are HTTP/2, or may turn out to be. */
    private static final class Shared extends MultiplexConnectionPool {
        /** How many idle HTTP/1.1 connections are kept; 0: all. */
        private final int most;
        /** Whether a connection ends with its first request. */
        private final boolean once;

        private Shared(Destination destination, Pool.Factory<Connection> pools, int streams, boolean once, int most) {
            super(destination, pools, streams);
            this.once = once;
            this.most = most;
        }

        /**
         * Also of a connection that has been taken out of the pool, since its server is going away or does not answer:
         * {@link #release} is to be asked after each of its requests.
         */
        @Override
        public boolean isActive(Connection connection) {
            return super.isActive(connection) || (isRemoved(connection) && !connection.isClosed());
        }

        /**
         * A connection that has been taken out of the pool ends with the last of its requests: not before, lest it be
         * closed under others that the server is still going to answer, and not later, since nobody else knows of it.
         */
        @Override
        public boolean release(Connection connection) {
            if (connection instanceof HttpConnectionOverHTTP2 http2) {
                boolean kept = !once && ((super.release(connection) && !isRemoved(connection)) || carries(http2));
                if (!kept) {
                    close(http2);
                }
                return kept;
            }
            if (once) {
                return false;
            }
            if (most <= 0) {
                return super.release(connection);
            }
            synchronized (this) {
                return getIdleConnectionCount() < most && super.release(connection);
            }
        }

        @Override
        public boolean remove(Connection connection) {
            // Else its requests are going to be released.
            boolean idle = !super.isActive(connection);
            boolean removed = super.remove(connection);
            if (removed && idle && connection instanceof HttpConnectionOverHTTP2 http2 && !connection.isClosed()) {
                close(http2);
            }
            return removed;
        }

        /** Jetty's pool forgets what it has attached to a connection when it has nothing more to do with it. */
        private static boolean isRemoved(Connection connection) {
            return connection instanceof HttpConnectionOverHTTP2 http2 && http2.getAttachment() == null;
        }

        /**
         * Jetty says goodbye, and then leaves it to the server to close the connection; nor does it close one by itself
         * any more when the server does, or when it is idle.
         */
        private static void close(HttpConnectionOverHTTP2 connection) {
            connection.close();
            if (connection.getSession() instanceof HTTP2Session session) {
                session.getEndPoint().close();
            }
        }

        private static boolean carries(HttpConnectionOverHTTP2 connection) {
            for (Stream stream : connection.getSession().getStreams()) {
                if (!stream.isClosed()) {
                    return true;
                }
            }
            return false;
        }
    }
}
