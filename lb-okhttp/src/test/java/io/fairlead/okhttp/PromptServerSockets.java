package io.fairlead.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ServerSocketFactory;

/**
 * Makes server sockets whose connections send at once: MockWebServer writes head and body apart, and without this the body
 * waits 40 ms until the head has been acknowledged.
 */
final class PromptServerSockets extends ServerSocketFactory {
    @Override
    public ServerSocket createServerSocket() throws IOException {
        return new ServerSocket() {
            @Override
            public Socket accept() throws IOException {
                Socket socket = super.accept();
                socket.setTcpNoDelay(true);
                return socket;
            }
        };
    }

    @Override
    public ServerSocket createServerSocket(int port) {
        throw new UnsupportedOperationException("MockWebServer binds it itself");
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) {
        return createServerSocket(port);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
        return createServerSocket(port);
    }
}
