package io.fairlead.health;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Bytes as they are. */
final class PlainTransport implements Transport {
    private final SocketChannel channel;
    private int ops;

    PlainTransport(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public boolean handshake() {
        return true;
    }

    @Override
    public boolean write(ByteBuffer from) throws IOException {
        channel.write(from);
        ops = SelectionKey.OP_WRITE;
        return !from.hasRemaining();
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        ops = SelectionKey.OP_READ;
        return channel.read(to);
    }

    @Override
    public int ops() {
        return ops;
    }

    @Override
    public @Nullable Runnable task() {
        return null;
    }
}
