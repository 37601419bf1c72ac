package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Many client connections to one port, held open. */
final class OpenConnections implements AutoCloseable {
    private static final int LIMIT_MILLIS = 20_000;

    private final List<Socket> sockets = new ArrayList<>();
    private final int port;

    private OpenConnections(int port) {
        this.port = port;
    }

    static OpenConnections open(int port, int count) throws IOException {
        OpenConnections opened = new OpenConnections(port);
        boolean whole = false;
        try {
            for (int i = 0; i < count; i++) {
                Socket socket = new Socket();
                opened.sockets.add(socket);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), LIMIT_MILLIS);
                socket.setSoTimeout(LIMIT_MILLIS);
            }
            whole = true;
            return opened;
        } finally {
            if (!whole) {
                opened.close();
            }
        }
    }

    /** One request on each, each answered before the next is sent. */
    void askEach(String path) throws IOException {
        for (Socket socket : sockets) {
            send(socket, path);
            read(socket);
        }
    }

    /** One request on each, a few milliseconds apart; no answer is waited for. */
    void send(String path) throws IOException, InterruptedException {
        for (Socket socket : sockets) {
            send(socket, path);
            Thread.sleep(2);
        }
    }

    private void send(Socket socket, String path) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads an answer on each, which must be {@link Case#SMALL_GET}'s. */
    void readEach() throws IOException {
        for (Socket socket : sockets) {
            read(socket);
        }
    }

    private static void read(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("a connection was closed");
            }
            head.append((char) next);
        }
        int length = in.readNBytes(Case.SMALL_BYTES).length;
        if (!head.toString().startsWith("HTTP/1.1 200 ") || length != Case.SMALL_BYTES) {
            throw new IOException("an answer is not what was asked for: " + head);
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
