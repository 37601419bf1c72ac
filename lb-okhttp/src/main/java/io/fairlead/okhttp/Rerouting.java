package io.fairlead.okhttp;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;

/**
 * Connects to a server's port where a socket is asked to connect to the logical host. Every other address is left as it
 * is.
 */
final class Rerouting {
    /** How a socket connects by itself. */
    interface Connector {
        void connect(SocketAddress address, int timeoutMillis) throws IOException;
    }

    private final String host;
    private final int port;

    Rerouting(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /**
     * Connects a socket.
     *
     * @param timeoutMillis the limit that the socket was asked to keep; 0: none
     * @param limitMillis another one, for the logical host alone; 0: none
     */
    void connect(SocketAddress named, int timeoutMillis, int limitMillis, Connector socket) throws IOException {
        if (!(named instanceof InetSocketAddress) || !isOfHost((InetSocketAddress) named)) {
            socket.connect(named, timeoutMillis);
            return;
        }
        InetSocketAddress server = new InetSocketAddress(((InetSocketAddress) named).getAddress(), port);
        try {
            socket.connect(server, TimeLimits.isStricter(limitMillis, timeoutMillis) ? limitMillis : timeoutMillis);
        } catch (ConnectException e) {
            // The name alone would not tell which of the servers it was.
            throw initCause(new ConnectException(message(server, e)), e);
        } catch (SocketTimeoutException e) {
            throw initCause(new SocketTimeoutException(message(server, e)), e);
        }
    }

    private boolean isOfHost(InetSocketAddress address) {
        return !address.isUnresolved() && address.getHostString().equals(host);
    }

    private String message(InetSocketAddress server, IOException e) {
        return "server " + server.getAddress().getHostAddress() + ":" + port + " of " + host + ": " + e.getMessage();
    }

    private static <E extends IOException> E initCause(E exception, IOException cause) {
        exception.initCause(cause);
        return exception;
    }
}
