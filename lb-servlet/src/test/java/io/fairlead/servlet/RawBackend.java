package io.fairlead.servlet;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A server made by hand on a socket, so that a test sees and says every byte. */
final class RawBackend implements AutoCloseable {
    private static final Queue<Socket> REFUSING = new ConcurrentLinkedQueue<>();

    /** What is done with one connection; it is closed afterwards. */
    interface Script {
        void run(Peer peer) throws Exception;
    }

    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<RawMessage> requests = new LinkedBlockingQueue<>();
    private final AtomicInteger connections = new AtomicInteger();

    private RawBackend(ServerSocket listening, Script script) {
        server = listening;
        thread("backend", () -> {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                connections.incrementAndGet();
                open.add(socket);
                if (server.isClosed()) {
                    // Accepted while the others were being closed.
                    socket.close();
                }
                thread("backend-connection", () -> serve(socket, script));
            }
        });
    }

    /** A server that runs the script on each connection. */
    static RawBackend running(Script script) throws IOException {
        return new RawBackend(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
    }

    /** A server that runs the script on each connection to this socket, and closes it in the end. */
    static RawBackend running(ServerSocket listening, Script script) {
        return new RawBackend(listening, script);
    }

    /** A server that gives the same answer, kept alive, to every request. */
    static RawBackend answering(String answer) throws IOException {
        return running(peer -> {
            while (peer.readRequest()) {
                peer.write(answer);
            }
        });
    }

    /** A port that nobody listens on. */
    static int refusedPort() throws IOException {
        // Bound and not listening, for as long as the tests run: a port that was let go another process may take.
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        REFUSING.add(socket);
        return socket.getLocalPort();
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** How many connections there have been. */
    int connections() {
        return connections.get();
    }

    /** How many connections are open. */
    int openConnections() {
        return open.size();
    }

    /** The next request that was read; waits for it. */
    RawMessage request() throws InterruptedException {
        RawMessage request = requests.poll(10, java.util.concurrent.TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("no request came");
        }
        return request;
    }

    /** How many requests have been read and not taken by {@link #request()}. */
    int pendingRequests() {
        return requests.size();
    }

    private void serve(Socket socket, Script script) throws Exception {
        try (socket) {
            script.run(new Peer(socket));
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private interface Task {
        void run() throws Exception;
    }

    private static void thread(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // The socket was closed: by the test, or by the proxy, which the test looks at.
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** One connection. */
    final class Peer {
        private final Socket socket;
        private final BufferedInputStream in;
        private final OutputStream out;

        private RawMessage last;

        private Peer(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        /** Reads a request with its body and keeps it for the test; false at the end of the connection. */
        boolean readRequest() throws IOException {
            RawMessage request = RawMessage.readHead(in);
            if (request == null) {
                return false;
            }
            request.readBody(in, false);
            last = request;
            requests.add(request);
            return true;
        }

        /** The request that was read last. */
        RawMessage last() {
            return last;
        }

        /** Reads the head of a request only. */
        RawMessage readHead() throws IOException {
            RawMessage request = RawMessage.readHead(in);
            if (request != null) {
                requests.add(request);
            }
            return request;
        }

        BufferedInputStream in() {
            return in;
        }

        OutputStream out() {
            return out;
        }

        Socket socket() {
            return socket;
        }

        void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        /** Ends the connection with a reset instead of a regular close. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
