package io.fairlead.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A server of GETs that can be killed, hung, slowed down and restarted on the same port. */
final class MoodyServer implements AutoCloseable {
    /** How it treats requests. */
    enum Mood {
        /** Answers at once. */
        WELL,
        /** Answers within a fifth of a second. */
        SLOW,
        /** Takes connections and requests and never answers. */
        HUNG,
        /** Has broken every connection and listens no more. */
        DEAD
    }

    private final ScheduledExecutorService later;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong requests = new AtomicLong();
    private final int port;

    private volatile Mood mood = Mood.WELL;
    private ServerSocket listening;

    MoodyServer(ScheduledExecutorService later) throws IOException {
        this.later = later;
        listening = new ServerSocket();
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        port = listening.getLocalPort();
        listen(listening);
    }

    String id() {
        return "127.0.0.1:" + port;
    }

    String url() {
        return "http://" + id();
    }

    Mood mood() {
        return mood;
    }

    /** How many requests have arrived. */
    long requests() {
        return requests.get();
    }

    /** How many connections are open. */
    int connections() {
        return connections.size();
    }

    synchronized void become(Mood next) throws IOException {
        Mood before = mood;
        mood = next;
        if (next == Mood.DEAD) {
            listening.close();
        }
        if (next == Mood.DEAD || before == Mood.HUNG) {
            // Those that hang would hang for ever: a server that comes back has lost its connections.
            connections.forEach(MoodyServer::reset);
        }
        if (before == Mood.DEAD && next != Mood.DEAD) {
            listening = new ServerSocket();
            listening.setReuseAddress(true);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            listen(listening);
        }
    }

    private void listen(ServerSocket socket) {
        daemon(() -> {
            while (!socket.isClosed()) {
                try {
                    Socket connection = socket.accept();
                    connection.setTcpNoDelay(true);
                    connections.add(connection);
                    if (mood == Mood.DEAD) {
                        reset(connection);
                    }
                    daemon(() -> serve(connection));
                } catch (SocketException e) {
                    if (!socket.isClosed()) {
                        throw new UncheckedIOException(e);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
    }

    private void serve(Socket connection) {
        try (connection) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String target = line.split(" ", -1)[1];
                while (!line.isEmpty()) {
                    line = in.readLine();
                    if (line == null) {
                        return;
                    }
                }
                requests.incrementAndGet();
                answer(connection, target);
            }
        } catch (IOException e) {
            // The other side or the mood has ended the connection, which is what this server is for.
        } finally {
            connections.remove(connection);
        }
    }

    private void answer(Socket connection, String target) throws IOException {
        byte[] body = target.getBytes(StandardCharsets.ISO_8859_1);
        byte[] head = ("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[] answer = new byte[head.length + body.length];
        System.arraycopy(head, 0, answer, 0, head.length);
        System.arraycopy(body, 0, answer, head.length, body.length);
        switch (mood) {
            case WELL -> connection.getOutputStream().write(answer);
            case SLOW -> {
                long millis = ThreadLocalRandom.current().nextInt(200);
                var unused = later.schedule(() -> answerLate(connection, answer), millis, TimeUnit.MILLISECONDS);
            }
            default -> {
                // No answer.
            }
        }
    }

    private static void answerLate(Socket connection, byte[] answer) {
        try {
            connection.getOutputStream().write(answer);
        } catch (IOException e) {
            // The other side has waited for long enough, or the mood has ended the connection.
            reset(connection);
        }
    }

    private static void reset(Socket connection) {
        try {
            connection.setSoLinger(true, 0);
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "moody");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        become(Mood.DEAD);
    }
}
