package io.fairlead.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What has been read of a body. It is kept up to a limit, in blocks that are filled one after the other; beyond it the
 * beginning is let go, and one block is used again and again.
 *
 * <p>Not safe for use from several threads at once, but for what is asked by {@link #taken()} and {@link #isWhole()}.
 */
final class ReplayBuffer {
    private static final int BLOCK_BYTES = 32 * 1024;

    private final long length;
    private int limit;
    /** All are full but the last one. */
    private final List<byte[]> blocks = new ArrayList<>(1);

    private int filled;
    private volatile long taken;
    private volatile boolean whole = true;

    /**
     * An empty buffer, which keeps nothing.
     *
     * @param length of the body; -1 where it is not known before
     */
    ReplayBuffer(long length) {
        this.length = length;
    }

    /** Keeps so many bytes, or as many as was said before, where that is more; too late once the beginning is gone. */
    void keep(int bytes) {
        if (whole) {
            limit = Math.max(limit, bytes);
        }
    }

    /** How many bytes have been read. */
    long taken() {
        return taken;
    }

    /** Whether all that has been read is still here. */
    boolean isWhole() {
        return whole;
    }

    /** How many blocks there are to be sent again. */
    int blocks() {
        return blocks.size();
    }

    /** What stands in a block, from 0 on. */
    ByteBuffer block(int index) {
        byte[] block = blocks.get(index);
        return ByteBuffer.wrap(block, 0, index == blocks.size() - 1 ? filled : block.length);
    }

    /**
     * Reads on, as far as a block has room: some containers give little at a time, and each piece costs a write.
     *
     * @param hasMore whether the stream can be read once more without waiting; is asked only between two reads
     * @return what was read, valid until the next call; null at the end
     */
    @Nullable
    ByteBuffer read(InputStream input, BooleanSupplier hasMore) throws IOException {
        if (whole && taken >= limit) {
            whole = false;
            byte[] last = blocks.isEmpty() ? new byte[0] : blocks.get(blocks.size() - 1);
            blocks.clear();
            blocks.add(last.length < BLOCK_BYTES ? new byte[newBlock()] : last);
        }
        if (!whole) {
            byte[] block = blocks.get(0);
            return fill(block, 0, block.length, input, hasMore);
        }
        if (blocks.isEmpty() || filled == blocks.get(blocks.size() - 1).length) {
            blocks.add(new byte[newBlock()]);
            filled = 0;
        }
        byte[] block = blocks.get(blocks.size() - 1);
        int room = (int) Math.min(block.length - filled, limit - taken);
        ByteBuffer read = fill(block, filled, room, input, hasMore);
        filled += read == null ? 0 : read.remaining();
        return read;
    }

    private int newBlock() {
        long left = length - taken;
        return left > 0 && left < BLOCK_BYTES ? (int) left : BLOCK_BYTES;
    }

    private @Nullable ByteBuffer fill(byte[] block, int from, int room, InputStream input, BooleanSupplier hasMore)
            throws IOException {
        long before = taken;
        int count = input.read(block, from, room);
        if (count < 0) {
            return null;
        }
        while (count < room) {
            // One thread writes it.
            taken = before + count;
            if (!hasMore.getAsBoolean()) {
                break;
            }
            int more = input.read(block, from + count, room - count);
            if (more < 0) {
                // It says so again to who reads on.
                break;
            }
            count += more;
        }
        taken = before + count;
        return ByteBuffer.wrap(block, from, count);
    }
}
