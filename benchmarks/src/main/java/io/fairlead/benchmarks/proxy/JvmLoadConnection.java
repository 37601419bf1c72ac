package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection of the {@link JvmLoad}; every answer must have the status 200 and the length of the case. */
final class JvmLoadConnection {
    private static final int MAX_HEAD = 16 * 1024;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Case what;
    private final Latencies latencies;
    private final ByteBuffer request;
    private final ByteBuffer in = ByteBuffer.allocate(64 * 1024);
    private long begun;
    private long bytes;
    /** Of the answer's body; -1: the head has not come whole. */
    private long left = -1;

    JvmLoadConnection(SocketChannel channel, SelectionKey key, int port, Case what, Latencies latencies) {
        this.channel = channel;
        this.key = key;
        this.what = what;
        this.latencies = latencies;
        this.request = request(what, port);
    }

    private static ByteBuffer request(Case what, int port) {
        boolean get = what.requestBytes() == 0;
        byte[] head = ((get ? "GET " : "POST ") + what.path() + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n"
                        + (get ? "" : "Content-Length: " + what.requestBytes() + "\r\n") + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(head.length + what.requestBytes()).put(head);
    }

    void begin() throws IOException {
        request.clear();
        begun = System.nanoTime();
        left = -1;
        write();
    }

    private void write() throws IOException {
        channel.write(request);
        key.interestOps(request.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    void ready() throws IOException {
        if (request.hasRemaining()) {
            write();
            return;
        }
        int count = channel.read(in);
        if (count < 0) {
            throw new IOException("a connection was closed");
        }
        bytes += count;
        if (left < 0) {
            head();
        }
        if (left >= 0) {
            left -= in.position();
            in.clear();
            if (left < 0) {
                throw new IOException("an answer is longer than it announced");
            }
            if (left == 0) {
                latencies.add(System.nanoTime() - begun);
                begin();
            }
        }
    }

    private void head() throws IOException {
        String text = new String(in.array(), 0, Math.min(in.position(), MAX_HEAD), StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            if (text.length() == MAX_HEAD) {
                throw new IOException("a head is too long");
            }
            return;
        }
        String head = text.substring(0, end + 2);
        if (!head.startsWith("HTTP/1.1 200 ")
                || !head.toLowerCase(Locale.ROOT).contains("\r\ncontent-length: " + what.answerBytes() + "\r\n")) {
            throw new IOException("an answer is not what was asked for: " + head);
        }
        left = what.answerBytes();
        in.flip();
        in.position(end + 4);
        in.compact();
    }

    long bytes() {
        return bytes;
    }

    void close() throws IOException {
        channel.close();
    }
}
