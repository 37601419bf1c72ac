package io.fairlead.benchmarks.okhttp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A server that answers every request without a body with the same two bytes, on a thread a connection. It allocates
 * nothing for a request, since JMH counts what all threads of the process allocate.
 */
final class BareServer implements AutoCloseable {
    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
            .getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER = 8192;

    private final ServerSocket listening;
    private final AtomicInteger connections = new AtomicInteger();
    private final LongAdder requests = new LongAdder();

    BareServer() {
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** How many connections there have been. */
    int connections() {
        return connections.get();
    }

    /** How many requests have been answered. */
    long requests() {
        return requests.sum();
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = listening.accept();
                socket.setTcpNoDelay(true);
                connections.incrementAndGet();
                daemon(() -> serve(socket));
            } catch (IOException e) {
                return; // Closed.
            }
        }
    }

    private void serve(Socket socket) {
        byte[] buffer = new byte[BUFFER];
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            // Of CR LF CR LF so many have been seen.
            int seen = 0;
            while (true) {
                int count = in.read(buffer);
                if (count < 0) {
                    return;
                }
                for (int i = 0; i < count; i++) {
                    byte expected = (byte) ((seen & 1) == 0 ? '\r' : '\n');
                    seen = buffer[i] == expected ? seen + 1 : buffer[i] == '\r' ? 1 : 0;
                    if (seen == 4) {
                        seen = 0;
                        requests.increment();
                        out.write(ANSWER);
                    }
                }
            }
        } catch (IOException e) {
            return; // The client has gone.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "bare-server");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
