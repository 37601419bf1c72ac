package io.fairlead.servlet;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Origin;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/** What can be seen of a connection at the moment when it is taken out of the pool for a request. */
final class PooledConnection {
    private final org.eclipse.jetty.io.Connection connection;
    private final long bytesIn;

    private PooledConnection(org.eclipse.jetty.io.Connection connection) {
        this.connection = connection;
        this.bytesIn = connection.getBytesIn();
    }

    static @Nullable PooledConnection of(@Nullable Connection connection) {
        return connection instanceof org.eclipse.jetty.io.Connection io ? new PooledConnection(io) : null;
    }

    /** Whether it has carried another request before. */
    boolean isReused() {
        return connection.getMessagesIn() > 0;
    }

    /** Whether the server has sent anything since. */
    boolean hasReceivedSinceTaken() {
        return connection.getBytesIn() != bytesIn;
    }

    /**
     * Whether the server has closed the connection and the selector has not got to it yet, or has sent something that
     * nobody asked for; under TLS that is the record that announces the close. Costs one read of the socket, and may be
     * asked only while nothing has been written: after a yes the connection cannot be used any more, since what was read
     * is lost to it.
     */
    boolean isClosedByPeer() {
        EndPoint endPoint = connection.getEndPoint();
        if (!endPoint.isOpen() || endPoint.isInputShutdown()) {
            return true;
        }
        PooledEndPoint socket = PooledEndPoint.under(endPoint);
        if (socket == null) {
            return false;
        }
        try {
            return socket.getChannel().read(ByteBuffer.allocate(1)) != 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** As {@link PooledEndPoint#later}. */
    boolean later(Runnable task) {
        PooledEndPoint socket = PooledEndPoint.under(connection.getEndPoint());
        return socket != null && socket.later(task);
    }

    /** Closes it. What has come of it can be read to its end, and nothing more comes. */
    void close() {
        connection.getEndPoint().close();
    }

    /** Whether every connection that the request's server may have is in use. */
    static boolean isPoolFull(HttpClient client, Request request) {
        // One server has several, by protocol and by what needs connections of its own.
        Origin origin = client.getHttpClientTransport().newOrigin(request);
        for (Destination destination : client.getDestinations()) {
            if (destination.getOrigin().equals(origin)) {
                return destination.getConnectionPool() instanceof org.eclipse.jetty.client.AbstractConnectionPool pool
                        && pool.getActiveConnectionCount() >= pool.getMaxConnectionCount();
            }
        }
        return false;
    }
}
