package io.fairlead.okhttp;

import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/** A socket factory of the application, which can do no more than OkHttp needs. */
final class CountingSocketFactory extends SocketFactory {
    final AtomicInteger made = new AtomicInteger();

    @Override
    public Socket createSocket() {
        made.incrementAndGet();
        return new Socket();
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
