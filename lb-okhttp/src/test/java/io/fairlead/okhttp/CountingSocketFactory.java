package io.fairlead.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/** A socket factory of the application, which can do no more than OkHttp needs. */
final class CountingSocketFactory extends SocketFactory {
    final AtomicInteger made = new AtomicInteger();
    /** The limit of the last connecting. */
    volatile int connectMillis = -1;

    @Override
    public Socket createSocket() {
        made.incrementAndGet();
        return new Socket() {
            @Override
            public void connect(SocketAddress endpoint, int timeout) throws IOException {
                connectMillis = timeout;
                super.connect(endpoint, timeout);
            }
        };
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }
}
