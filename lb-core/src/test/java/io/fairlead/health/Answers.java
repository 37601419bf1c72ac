package io.fairlead.health;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A server on a socket of its own that answers what a test says, byte by byte; the request is the whole head. An answer
 * of {@link #SILENCE} keeps the connection and sends nothing.
 */
final class Answers implements AutoCloseable {
    static final String SILENCE = "";

    private final ServerSocket listener;
    private final UnaryOperator<String> answers;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    Answers(UnaryOperator<String> answers) throws IOException {
        this(new ServerSocket(0, 1024, InetAddress.getLoopbackAddress()), answers);
    }

    Answers(ServerSocket listener, UnaryOperator<String> answers) {
        this.listener = listener;
        this.answers = answers;
        daemon(this::accept);
    }

    static Answers of(String answer) throws IOException {
        return new Answers(request -> answer);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The heads of the requests, in the order of their arrival. */
    List<String> requests() {
        return requests;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                daemon(() -> serve(socket));
            } catch (IOException e) {
                // Closed, or a handshake that the peer broke off: the loop's condition tells.
                requests.add("not accepted: " + e);
            }
        }
    }

    private void serve(Socket socket) {
        try {
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int b = in.read();
                if (b < 0) {
                    return;
                }
                head.append((char) b);
            }
            requests.add(head.toString());
            String answer = answers.apply(head.toString());
            if (answer.equals(SILENCE)) {
                in.read();
                return;
            }
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            socket.close();
        } catch (IOException e) {
            // The check went before it had its answer.
            requests.add("broken: " + e);
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "answers");
        thread.setDaemon(true);
        thread.start();
    }
}
