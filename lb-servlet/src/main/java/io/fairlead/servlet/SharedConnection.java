package io.fairlead.servlet;

import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.client.transport.internal.HttpConnectionOverHTTP2;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 connection, from the moment when it is given to a request. */
final class SharedConnection {
    /** Jetty keeps its name to itself, but has no other way from a request to its session. */
    private final HttpConnectionOverHTTP2 connection;

    private final HTTP2Connection wire;
    private final long bytesIn;

    private SharedConnection(HttpConnectionOverHTTP2 connection, HTTP2Connection wire) {
        this.connection = connection;
        this.wire = wire;
        this.bytesIn = wire.getBytesIn();
    }

    static @Nullable SharedConnection of(@Nullable Connection assigned) {
        return assigned instanceof HttpConnectionOverHTTP2 http2
                        && http2.getSession() instanceof HTTP2Session session
                        && session.getEndPoint().getConnection() instanceof HTTP2Connection wire
                ? new SharedConnection(http2, wire)
                : null;
    }

    /** Whether the server has sent nothing since, to no request. */
    boolean isSilent() {
        return wire.getBytesIn() == bytesIn;
    }

    /** As {@link PooledEndPoint#later}. */
    boolean later(Runnable task) {
        PooledEndPoint socket = PooledEndPoint.under(wire.getEndPoint());
        return socket != null && socket.later(task);
    }

    /** No further request gets it; where a ping is not answered either, it ends under those that it carries. */
    void retire(Http2Pings pings) {
        connection.getHttpDestination().remove(connection);
        pings.check(wire);
    }
}
