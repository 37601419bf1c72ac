package io.fairlead.okhttp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/** A server on a bare socket, which does with each connection what its script says. */
final class RawServer implements Closeable {
    /** What to do with one connection, which is closed afterwards. */
    interface Script {
        void run(Connection connection) throws IOException;
    }

    private final ServerSocket listening;
    private final Script script;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    final List<Request> requests = new CopyOnWriteArrayList<>();

    private RawServer(Script script, InetAddress address, int port) throws IOException {
        this.script = script;
        listening = new ServerSocket(port, 50, address);
    }

    static RawServer running(Script script) throws IOException {
        return running(script, InetAddress.getLoopbackAddress(), 0);
    }

    static RawServer running(Script script, InetAddress address, int port) throws IOException {
        RawServer server = new RawServer(script, address, port);
        daemon(server::accept);
        return server;
    }

    /** Answers every request with this text, and keeps connections alive. */
    static RawServer answering(String text) throws IOException {
        return running(connection -> {
            while (connection.readRequest() != null) {
                connection.answer(200, text);
            }
        });
    }

    int port() {
        return listening.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    int connections() {
        return connections.get();
    }

    private void accept() {
        while (true) {
            Socket socket;
            try {
                socket = listening.accept();
            } catch (IOException e) {
                return; // Closed: the test is over.
            }
            open.add(socket);
            int number = connections.incrementAndGet();
            daemon(() -> {
                try (Socket closing = socket) {
                    script.run(new Connection(closing, number));
                } catch (IOException e) {
                    // The client went away, as some tests want it to.
                    open.remove(socket);
                }
            });
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "raw-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Refuses connections from now on; those that are open go on. */
    void closeListening() throws IOException {
        listening.close();
    }

    /** Dies in the midst of a test: refuses connections and cuts off those that are open. */
    void die() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        die();
    }

    static final class Request {
        final String line;
        private final List<String> fields;
        final String body;

        Request(String line, List<String> fields, String body) {
            this.line = line;
            this.fields = fields;
            this.body = body;
        }

        @Nullable
        String header(String name) {
            String start = name.toLowerCase(Locale.ROOT) + ":";
            for (String field : fields) {
                if (field.toLowerCase(Locale.ROOT).startsWith(start)) {
                    return field.substring(start.length()).trim();
                }
            }
            return null;
        }
    }

    final class Connection {
        final Socket socket;
        /** One for the first connection to this server. */
        final int number;

        private final InputStream in;

        private Connection(Socket socket, int number) throws IOException {
            this.socket = socket;
            this.number = number;
            in = new BufferedInputStream(socket.getInputStream());
        }

        /** The next request, its body read if it has a known length; null at the connection's end. */
        @Nullable
        Request readRequest() throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString("ISO-8859-1").endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return null;
                }
                head.write(next);
            }
            List<String> lines =
                    new ArrayList<>(Arrays.asList(head.toString("ISO-8859-1").split("\r\n", -1)));
            Request bare = new Request(lines.remove(0), lines, "");
            String length = bare.header("Content-Length");
            byte[] body = new byte[length == null ? 0 : Integer.parseInt(length)];
            for (int at = 0; at < body.length; ) {
                int count = in.read(body, at, body.length - at);
                if (count < 0) {
                    return null;
                }
                at += count;
            }
            Request request = new Request(bare.line, bare.fields, new String(body, StandardCharsets.UTF_8));
            requests.add(request);
            return request;
        }

        /** The next line of whatever the client sends, without its end. */
        String readLine() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                line.write(next);
            }
            return line.toString("ISO-8859-1").trim();
        }

        /** How many requests all connections have brought. */
        int requestsSoFar() {
            return requests.size();
        }

        void answer(int status, String text, String... fields) throws IOException {
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Status\r\n");
            for (String field : fields) {
                head.append(field).append("\r\n");
            }
            send(head + "Content-Length: " + text.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + text);
        }

        /** Answers the handshake of a web socket (RFC 6455, section 4.2.2). */
        void upgrade(Request request) throws IOException {
            ByteString accept = ByteString.encodeUtf8(
                            request.header("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                    .sha1();
            send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: " + accept.base64() + "\r\n\r\n");
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
        }
    }
}
