package io.fairlead.okhttp;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;

/** A plain socket that, asked to connect to a logical host, connects to its server. */
final class PinnedSocket extends Socket {
    private final Rerouting rerouting;
    private final int limitMillis;

    PinnedSocket(Rerouting rerouting, int limitMillis) {
        this.rerouting = rerouting;
        this.limitMillis = limitMillis;
    }

    @Override
    public void connect(SocketAddress endpoint) throws IOException {
        connect(endpoint, 0);
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
        rerouting.connect(endpoint, timeout, limitMillis, super::connect);
    }
}
