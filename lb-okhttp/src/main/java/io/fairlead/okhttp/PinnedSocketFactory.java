package io.fairlead.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes sockets that connect to one server when they are asked to connect to a logical host. */
final class PinnedSocketFactory extends SocketFactory {
    private final Rerouting rerouting;
    private final int limitMillis;
    private final SocketFactory users;

    /**
     * Makes a factory.
     *
     * @param limitMillis how long connecting to the server may take; 0: as long as the client says
     * @param users the client's own factory, which makes the sockets that connect
     */
    PinnedSocketFactory(Rerouting rerouting, int limitMillis, SocketFactory users) {
        this.rerouting = rerouting;
        this.limitMillis = limitMillis;
        this.users = users;
    }

    @Override
    public Socket createSocket() throws IOException {
        return users == getDefault()
                ? new PinnedSocket(rerouting, limitMillis)
                : new PinnedForwardingSocket(users.createSocket(), rerouting, limitMillis);
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
