package io.fairlead.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connects to a server's port where a socket is asked to connect to the logical host. Every other address is left as it
 * is.
 */
final class Rerouting {
    /** How a socket connects by itself. */
    interface Connector {
        void connect(SocketAddress address, int timeoutMillis) throws IOException;
    }

    /** Where the server is. */
    interface Addresses {
        List<InetAddress> get() throws UnknownHostException;
    }

    private final String host;
    private final boolean isLiteral;
    private final Addresses addresses;
    private final int port;
    private final boolean isServerNamed;

    /**
     * For one server.
     *
     * @param host the logical host
     * @param addresses the server's
     * @param isServerNamed whether the server is known by a name, so that its URL does not tell which of its addresses
     *     failed
     */
    Rerouting(String host, Addresses addresses, int port, boolean isServerNamed) {
        this.host = host;
        isLiteral = Pin.isLiteral(host);
        this.addresses = addresses;
        this.port = port;
        this.isServerNamed = isServerNamed;
    }

    /**
     * Connects a socket.
     *
     * @param timeoutMillis the limit that the socket was asked to keep; 0: none
     * @param limitMillis another one, for the logical host alone; 0: none
     */
    void connect(SocketAddress named, int timeoutMillis, int limitMillis, Connector socket) throws IOException {
        InetSocketAddress server = named instanceof InetSocketAddress ? server((InetSocketAddress) named) : null;
        if (server == null) {
            socket.connect(named, timeoutMillis);
            return;
        }
        try {
            socket.connect(server, TimeLimits.isStricter(limitMillis, timeoutMillis) ? limitMillis : timeoutMillis);
        } catch (IOException e) {
            throw isServerNamed
                    ? Reworded.as(server.getAddress().getHostAddress() + ":" + port + ": " + e.getMessage(), e)
                    : e;
        }
    }

    /** Null where the address is not one of the logical host. */
    private @Nullable InetSocketAddress server(InetSocketAddress named) throws UnknownHostException {
        if (named.isUnresolved()) {
            return null;
        }
        if (!isLiteral) {
            return named.getHostString().equals(host) ? new InetSocketAddress(named.getAddress(), port) : null;
        }
        // A host that is an address is not looked up, so it is the service's own and not the server's.
        if (!named.getAddress().equals(InetAddress.getByName(host))) {
            return null;
        }
        List<InetAddress> servers = addresses.get();
        if (servers.isEmpty()) {
            throw new UnknownHostException("no address is known");
        }
        return new InetSocketAddress(servers.get(0), port);
    }
}
