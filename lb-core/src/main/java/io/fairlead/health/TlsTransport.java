package io.fairlead.health;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.jspecify.annotations.Nullable;

/** Bytes by TLS. The connection is dropped when the check is over, without a closing alert. */
final class TlsTransport implements Transport {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;

    /** From the server, not decrypted yet; ready to be read from. */
    private ByteBuffer in;
    /** To the server, encrypted; ready to be read from. */
    private ByteBuffer out;
    /** Decrypted, not handed on yet; ready to be read from. */
    private ByteBuffer plain;

    private int ops;
    private @Nullable Runnable task;

    TlsTransport(SocketChannel channel, SSLEngine engine) throws IOException {
        this.channel = channel;
        this.engine = engine;
        in = empty(engine.getSession().getPacketBufferSize());
        out = empty(engine.getSession().getPacketBufferSize());
        plain = empty(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
    }

    @Override
    public boolean handshake() throws IOException {
        task = null;
        while (true) {
            if (!flush()) {
                return false;
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK:
                    task = engine.getDelegatedTask();
                    if (task != null) {
                        return false;
                    }
                    break;
                case NEED_WRAP:
                    wrap(NOTHING);
                    break;
                case FINISHED:
                case NOT_HANDSHAKING:
                    return true;
                default:
                    // NEED_UNWRAP. Java 9 and later have NEED_UNWRAP_AGAIN, for datagrams only.
                    int before = in.remaining();
                    SSLEngineResult result = unwrap();
                    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                        throw new EOFException("the connection was closed during the TLS handshake");
                    }
                    boolean stuck =
                            in.remaining() == before && result.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP;
                    if (stuck && !receive("during the TLS handshake")) {
                        return false;
                    }
                    break;
            }
        }
    }

    @Override
    public boolean write(ByteBuffer from) throws IOException {
        while (flush()) {
            if (!from.hasRemaining()) {
                return true;
            }
            wrap(from);
        }
        return false;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        while (true) {
            if (plain.hasRemaining()) {
                int count = 0;
                while (plain.hasRemaining() && to.hasRemaining()) {
                    to.put(plain.get());
                    count++;
                }
                return count;
            }
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED) {
                // A key update, or what else a server may begin: neither is long, and both are rare.
                if (!handshake()) {
                    return 0;
                }
                continue;
            }
            int before = in.remaining();
            if (unwrap().getStatus() == SSLEngineResult.Status.CLOSED) {
                return -1;
            }
            if (!plain.hasRemaining() && in.remaining() == before) {
                ops = SelectionKey.OP_READ;
                int read = fill();
                if (read <= 0) {
                    return read;
                }
            }
        }
    }

    @Override
    public int ops() {
        return ops;
    }

    @Override
    public @Nullable Runnable task() {
        return task;
    }

    private boolean flush() throws IOException {
        channel.write(out);
        ops = SelectionKey.OP_WRITE;
        return !out.hasRemaining();
    }

    private boolean receive(String when) throws IOException {
        ops = SelectionKey.OP_READ;
        int read = fill();
        if (read < 0) {
            throw new EOFException("the connection was closed " + when);
        }
        return read > 0;
    }

    private int fill() throws IOException {
        in.compact();
        try {
            return channel.read(in);
        } finally {
            in.flip();
        }
    }

    private void wrap(ByteBuffer from) throws IOException {
        out.clear();
        SSLEngineResult result = engine.wrap(from, out);
        while (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            out = ByteBuffer.allocate(out.capacity() * 2);
            result = engine.wrap(from, out);
        }
        out.flip();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED && from.hasRemaining()) {
            throw new EOFException("the connection was closed");
        }
    }

    private SSLEngineResult unwrap() throws IOException {
        plain.compact();
        try {
            SSLEngineResult result = engine.unwrap(in, plain);
            while (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                plain.flip();
                plain = ByteBuffer.allocate(plain.capacity() * 2).put(plain);
                result = engine.unwrap(in, plain);
            }
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW
                    && in.capacity() < engine.getSession().getPacketBufferSize()) {
                in = ByteBuffer.allocate(engine.getSession().getPacketBufferSize())
                        .put(in);
                in.flip();
            }
            return result;
        } finally {
            plain.flip();
        }
    }

    private static ByteBuffer empty(int capacity) {
        ByteBuffer buffer = ByteBuffer.allocate(capacity);
        buffer.flip();
        return buffer;
    }
}
