package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One connection of the {@link Origin}; of its thread. */
final class OriginConnection {
    private enum State {
        HEAD,
        /** So many bytes of a body of known length are left. */
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END
    }

    private static final ByteBuffer CONTINUE =
            ByteBuffer.wrap("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

    private final Origin origin;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer in = ByteBuffer.allocate(64 * 1024);
    private @Nullable ByteBuffer out;
    private State state = State.HEAD;
    private String target = "";
    private long left;

    OriginConnection(Origin origin, SocketChannel channel, SelectionKey key) {
        this.origin = origin;
        this.channel = channel;
        this.key = key;
    }

    /** The selector has something for it. */
    void ready() {
        try {
            if (out != null && !flush()) {
                return;
            }
            if (channel.read(in) < 0) {
                close();
                return;
            }
            in.flip();
            while (parse()) {
                // One step after the other.
            }
            in.compact();
            if (!in.hasRemaining()) {
                throw new IOException("a head or a line that is too long");
            }
        } catch (IOException e) {
            close();
        }
    }

    /** Sends an answer; the next request is not read before it has gone out. */
    void send(ByteBuffer answer) {
        out = answer;
        try {
            flush();
        } catch (IOException e) {
            close();
        }
    }

    private boolean flush() throws IOException {
        ByteBuffer sending = out;
        if (sending != null) {
            channel.write(sending);
            if (sending.hasRemaining()) {
                key.interestOps(SelectionKey.OP_WRITE);
                return false;
            }
            out = null;
        }
        key.interestOps(SelectionKey.OP_READ);
        return true;
    }

    /** One step; false when more must come first. */
    private boolean parse() throws IOException {
        return switch (state) {
            case HEAD -> head();
            case BODY -> body(State.HEAD);
            case CHUNK -> body(State.CHUNK_END);
            case CHUNK_END -> line() != null && become(State.CHUNK_SIZE);
            case CHUNK_SIZE -> chunk();
        };
    }

    private boolean head() throws IOException {
        int end = endOfHead();
        if (end < 0) {
            return false;
        }
        String head = new String(in.array(), in.position(), end - in.position(), StandardCharsets.ISO_8859_1);
        in.position(end);
        int from = head.indexOf(' ') + 1;
        target = head.substring(from, head.indexOf(' ', from));
        if (head.startsWith("GET")) {
            origin.answer(target, this);
            return true;
        }
        String fields = head.toLowerCase(Locale.ROOT);
        if (fields.contains("\r\nexpect: 100-continue")) {
            channel.write(CONTINUE.duplicate());
        }
        int length = fields.indexOf("\r\ncontent-length:");
        if (length >= 0) {
            int value = length + "\r\ncontent-length:".length();
            left = Long.parseLong(
                    fields.substring(value, fields.indexOf('\r', value)).strip());
            return become(State.BODY);
        }
        return become(State.CHUNK_SIZE);
    }

    private int endOfHead() {
        byte[] bytes = in.array();
        for (int i = in.position() + 3; i < in.limit(); i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    private boolean body(State then) {
        int taken = (int) Math.min(left, in.remaining());
        in.position(in.position() + taken);
        left -= taken;
        origin.received(taken);
        if (left > 0) {
            return false;
        }
        if (then == State.HEAD) {
            origin.answer(target, this);
        }
        return become(then);
    }

    private boolean chunk() throws IOException {
        String size = line();
        if (size == null) {
            return false;
        }
        if (size.isEmpty()) {
            // After the last chunk, whose trailers are none.
            origin.answer(target, this);
            return become(State.HEAD);
        }
        left = Long.parseLong(size, 16);
        return left == 0 ? become(State.CHUNK_SIZE) : become(State.CHUNK);
    }

    private @Nullable String line() {
        for (int i = in.position(); i < in.limit(); i++) {
            if (in.get(i) == '\n') {
                String line =
                        new String(in.array(), in.position(), i - in.position(), StandardCharsets.ISO_8859_1).strip();
                in.position(i + 1);
                return line;
            }
        }
        return null;
    }

    private boolean become(State next) {
        state = next;
        return in.hasRemaining();
    }

    private void close() {
        origin.gone(this);
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            System.err.println("a connection could not be closed: " + e);
        }
    }
}
