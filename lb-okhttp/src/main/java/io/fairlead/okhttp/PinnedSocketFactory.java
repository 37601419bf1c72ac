package io.fairlead.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes sockets that connect to one server when they are asked for a logical host. */
final class PinnedSocketFactory extends SocketFactory {
    private final String host;
    private final int port;

    PinnedSocketFactory(String host, int port) {
        this.host = host;
        this.port = port;
    }

    @Override
    public Socket createSocket() {
        return new PinnedSocket(host, port);
    }

    // OkHttp connects by the socket alone; the others are here for completeness.

    @Override
    public Socket createSocket(String name, int namedPort) throws IOException {
        return getDefault().createSocket(name, namedPort);
    }

    @Override
    public Socket createSocket(String name, int namedPort, InetAddress localHost, int localPort) throws IOException {
        return getDefault().createSocket(name, namedPort, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress address, int namedPort) throws IOException {
        return getDefault().createSocket(address, namedPort);
    }

    @Override
    public Socket createSocket(InetAddress address, int namedPort, InetAddress localAddress, int localPort)
            throws IOException {
        return getDefault().createSocket(address, namedPort, localAddress, localPort);
    }
}
