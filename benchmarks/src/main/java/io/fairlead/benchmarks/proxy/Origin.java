package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The server that all proxies stand before: one thread, a selector, and answers made beforehand, so that it takes as
 * little of the machine as it can. Speaks as much of HTTP/1.1 as proxies send to a server they know.
 *
 * <p>{@code /small} is 1 KiB, {@code /large} 1 MiB, {@code /upload} takes a body, {@code /wait} is answered once {@code
 * /release} is asked for, and {@code /counts} tells {@code REQUESTS UPLOADED-BYTES WAITING}, of the first four.
 */
public final class Origin {
    private final List<OriginConnection> waiting = new ArrayList<>();
    private long requests;
    private long uploaded;

    private Origin() {}

    /** Listens on a free port of 127.0.0.1, which it prints, until the process is ended. */
    public static void main(String[] args) throws IOException {
        new Origin().serve();
    }

    private void serve() throws IOException {
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            ProxyMain.announce(server.socket().getLocalPort());
            while (true) {
                selector.select(key -> {
                    if (key.isAcceptable()) {
                        accept(server, selector);
                    } else if (key.attachment() instanceof OriginConnection connection) {
                        connection.ready();
                    }
                });
            }
        }
    }

    private void accept(ServerSocketChannel server, Selector selector) {
        try {
            SocketChannel channel = server.accept();
            if (channel != null) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                key.attach(new OriginConnection(this, channel, key));
            }
        } catch (IOException e) {
            System.err.println("a connection could not be accepted: " + e);
        }
    }

    void received(int bytes) {
        uploaded += bytes;
    }

    /** A whole request is there. */
    void answer(String target, OriginConnection from) {
        switch (target) {
            case "/counts" -> from.send(text(requests + " " + uploaded + " " + waiting.size()));
            case "/release" -> {
                for (OriginConnection held : waiting) {
                    held.send(Answers.SMALL.duplicate());
                }
                waiting.clear();
                from.send(text("released"));
            }
            case "/wait" -> {
                requests++;
                waiting.add(from);
            }
            case "/large" -> {
                requests++;
                from.send(Answers.LARGE.duplicate());
            }
            case "/upload" -> {
                requests++;
                from.send(Answers.TAKEN.duplicate());
            }
            default -> {
                requests++;
                from.send(Answers.SMALL.duplicate());
            }
        }
    }

    void gone(OriginConnection connection) {
        waiting.remove(connection);
    }

    private static ByteBuffer text(String text) {
        return Answers.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** What is sent, head and body in one. */
    private static final class Answers {
        private static final ByteBuffer SMALL = of(body(Case.SMALL_BYTES));
        private static final ByteBuffer LARGE = of(body(Case.LARGE_BYTES));
        private static final ByteBuffer TAKEN = of("taken".getBytes(StandardCharsets.US_ASCII));

        private static ByteBuffer of(byte[] body) {
            byte[] head = ("HTTP/1.1 200 OK\r\nServer: origin\r\nDate: Mon, 30 Nov 2026 12:00:00 GMT\r\n"
                            + "Content-Type: text/plain\r\nCache-Control: no-cache\r\nContent-Length: " + body.length
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
            return ByteBuffer.allocateDirect(head.length + body.length)
                    .put(head)
                    .put(body)
                    .flip();
        }

        private static byte[] body(int length) {
            byte[] body = new byte[length];
            for (int i = 0; i < length; i++) {
                body[i] = (byte) ('a' + i % 26);
            }
            return body;
        }
    }
}
