package io.fairlead.agent.it;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** A server on a socket of its own, which shows each request as it came over the wire. */
final class Backend implements TestServer {
    private static final List<Socket> TAKEN = new CopyOnWriteArrayList<>();

    private final String name;
    private final Function<Request, String> answers;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread accepting;

    private final String scheme;

    /** @param answers null: ends its side of a connection at the head of a request, and reads no more */
    private Backend(String name, int port, Function<Request, String> answers, SSLContext tls) throws IOException {
        this.name = name;
        this.answers = answers;
        scheme = tls == null ? "http" : "https";
        listener =
                tls == null ? new ServerSocket() : tls.getServerSocketFactory().createServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        accepting = daemon(this::accept);
    }

    /** A server that answers 200 and its name. */
    static Backend start(String name) throws IOException {
        return start(name, request -> ok(name));
    }

    /** A server with answers of its own: the bytes as they are to be sent, or empty to close the connection. */
    static Backend start(String name, Function<Request, String> answers) throws IOException {
        return new Backend(name, 0, answers, null);
    }

    /** A server over TLS with answers of its own. */
    static Backend secure(String name, Function<Request, String> answers, SSLContext tls) throws IOException {
        return new Backend(name, 0, answers, tls);
    }

    /**
     * A server that ends its side of a connection at the head of a request, and leaves a body unread.
     *
     * @param takesBytes whether what the client sends on still fills buffers, and does not break
     */
    static Backend hasty(String name, boolean takesBytes) throws IOException {
        Backend backend = new Backend(name, 0, null, null);
        if (!takesBytes) {
            backend.closed.countDown();
        }
        return backend;
    }

    static String ok(String body, String... fields) {
        return answer("200 OK", body, fields);
    }

    static String answer(String status, String body, String... fields) {
        StringBuilder answer = new StringBuilder("HTTP/1.1 " + status + "\r\n");
        for (String field : fields) {
            answer.append(field).append("\r\n");
        }
        return answer + "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    /** A port of this machine on which nothing listens, nor will while the tests run: it is taken, and refuses. */
    static int deadPort() throws IOException {
        Socket taken = new Socket();
        taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        TAKEN.add(taken);
        return taken.getLocalPort();
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public String authority() {
        return "127.0.0.1:" + port();
    }

    @Override
    public String url() {
        return scheme + "://" + authority();
    }

    @Override
    public List<Request> requests() {
        return Collections.unmodifiableList(new ArrayList<>(requests));
    }

    Request only() {
        if (requests.size() != 1) {
            throw new AssertionError(name + " has " + requests.size() + " requests, not one: " + requests);
        }
        return requests.get(0);
    }

    @Override
    public int connections() {
        return accepted.size();
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        refuse();
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Override
    public void hangUp() throws IOException {
        refuse();
        for (Socket socket : open) {
            socket.shutdownOutput();
        }
    }

    @Override
    public int openConnections() {
        return open.size();
    }

    /** The listening socket takes connections for as long as a thread stands in its accept. */
    private void refuse() throws IOException {
        listener.close();
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                accepted.add(socket);
                open.add(socket);
                daemon(() -> serve(socket));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (Socket closing = socket) {
            InputStream in = new BufferedInputStream(closing.getInputStream());
            OutputStream out = closing.getOutputStream();
            if (answers == null) {
                requests.add(Request.head(in));
                closing.shutdownOutput();
                closed.await();
                return;
            }
            for (Request request = Request.read(in, out); request != null; request = Request.read(in, out)) {
                requests.add(request);
                String answer = answers.apply(request);
                if (answer.isEmpty()) {
                    return;
                }
                out.write(answer.getBytes(StandardCharsets.UTF_8));
                out.flush();
                if (answer.contains("Connection: close")) {
                    return;
                }
            }
        } catch (IOException e) {
            // The client went away, or the test has closed this server.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private Thread daemon(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** A request as it came over the wire. */
    static final class Request {
        final String method;
        final String target;
        final List<String> fields;
        final byte[] body;

        Request(String line, List<String> fields, byte[] body) {
            this(line.split(" ", 3)[0], line.split(" ", 3)[1], fields, body);
        }

        private Request(String method, String target, List<String> fields, byte[] body) {
            this.method = method;
            this.target = target;
            this.fields = fields;
            this.body = body;
        }

        private Request with(byte[] read) {
            return new Request(method, target, fields, read);
        }

        /** The value of a field; empty where it is missing. */
        String field(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ":";
            for (String field : fields) {
                if (field.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                    return field.substring(prefix.length()).trim();
                }
            }
            return "";
        }

        @Override
        public String toString() {
            return method + " " + target;
        }

        private static Request head(InputStream in) throws IOException {
            String line = line(in);
            if (line.isEmpty()) {
                return null;
            }
            List<String> fields = new ArrayList<>();
            for (String field = line(in); !field.isEmpty(); field = line(in)) {
                fields.add(field);
            }
            return new Request(line, fields, new byte[0]);
        }

        private static Request read(InputStream in, OutputStream out) throws IOException {
            Request head = head(in);
            if (head == null) {
                return null;
            }
            if (head.field("Expect").equals("100-Continue")) {
                out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
            if (head.field("Transfer-Encoding").equalsIgnoreCase("chunked")) {
                return head.with(chunks(in));
            }
            String length = head.field("Content-Length");
            return length.isEmpty() ? head : head.with(bytes(in, Integer.parseInt(length)));
        }

        private static byte[] chunks(InputStream in) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
                body.write(bytes(in, size));
                line(in);
            }
            line(in);
            return body.toByteArray();
        }

        private static byte[] bytes(InputStream in, int count) throws IOException {
            byte[] bytes = new byte[count];
            int done = 0;
            while (done < count) {
                int n = in.read(bytes, done, count - done);
                if (n < 0) {
                    throw new EOFException();
                }
                done += n;
            }
            return bytes;
        }

        private static String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
                if (b != '\r') {
                    line.append((char) b);
                }
            }
            return line.toString();
        }
    }
}
