package io.fairlead.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes sockets that connect to one server when they are asked to connect to a logical host. */
final class PinnedSocketFactory extends SocketFactory {
    private final Rerouting rerouting;
    private final SocketFactory users;

    /**
     * Makes a factory.
     *
     * @param users the client's own factory, which makes the sockets that connect
     */
    PinnedSocketFactory(Rerouting rerouting, SocketFactory users) {
        this.rerouting = rerouting;
        this.users = users;
    }

    @Override
    public Socket createSocket() throws IOException {
        return users == getDefault()
                ? new PinnedSocket(rerouting)
                : new PinnedForwardingSocket(users.createSocket(), rerouting);
    }

    // OkHttp connects by the socket alone; the others are here for completeness.

    @Override
    public Socket createSocket(String name, int namedPort) throws IOException {
        return users.createSocket(name, namedPort);
    }

    @Override
    public Socket createSocket(String name, int namedPort, InetAddress localHost, int localPort) throws IOException {
        return users.createSocket(name, namedPort, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress address, int namedPort) throws IOException {
        return users.createSocket(address, namedPort);
    }

    @Override
    public Socket createSocket(InetAddress address, int namedPort, InetAddress localAddress, int localPort)
            throws IOException {
        return users.createSocket(address, namedPort, localAddress, localPort);
    }
}
