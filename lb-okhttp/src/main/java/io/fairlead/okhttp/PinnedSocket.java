package io.fairlead.okhttp;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;

/** A socket that, asked to connect to a logical host, connects to its server's port instead of the named one. */
final class PinnedSocket extends Socket {
    private final String host;
    private final int port;

    PinnedSocket(String host, int port) {
        this.host = host;
        this.port = port;
    }

    @Override
    public void connect(SocketAddress endpoint) throws IOException {
        connect(endpoint, 0);
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
        if (!(endpoint instanceof InetSocketAddress) || !isOfHost((InetSocketAddress) endpoint)) {
            super.connect(endpoint, timeout);
            return;
        }
        InetSocketAddress server = new InetSocketAddress(((InetSocketAddress) endpoint).getAddress(), port);
        try {
            super.connect(server, timeout);
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
