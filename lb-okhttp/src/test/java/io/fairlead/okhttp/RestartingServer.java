package io.fairlead.okhttp;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that can be stopped and started again on its port, as in a rolling restart: answers under way are sent to
 * their end, everything else on its connections is cut off, and new connections are refused.
 */
final class RestartingServer implements Closeable {
    private final String text;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;
    private RawServer running;
    private final int port;

    RestartingServer(String text) throws IOException {
        this.text = text;
        running = RawServer.running(this::serve);
        port = running.port();
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    private void serve(RawServer.Connection connection) throws IOException {
        connections.add(connection.socket);
        try {
            while (connection.readRequest() != null) {
                synchronized (connection.socket) {
                    if (stopping) {
                        return;
                    }
                    connection.answer(200, text);
                }
            }
        } finally {
            connections.remove(connection.socket);
        }
    }

    void stop() throws IOException {
        stopping = true;
        running.closeListening();
        for (Socket socket : connections) {
            synchronized (socket) {
                socket.close();
            }
        }
        running.die();
    }

    void start() throws IOException {
        stopping = false;
        running = RawServer.running(this::serve, InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
