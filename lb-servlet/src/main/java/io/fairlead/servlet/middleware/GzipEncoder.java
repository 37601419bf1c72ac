package io.fairlead.servlet.middleware;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/** Packs a body as one gzip member (RFC 1952). */
final class GzipEncoder implements BodyTransform {
    private static final int PIECE_BYTES = 8 * 1024;
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 255};

    private final int level;
    private final CRC32 checksum = new CRC32();
    // Made when it is needed, since it holds memory outside of the heap.
    private @Nullable Deflater deflater;
    private boolean unflushed;

    GzipEncoder(int level) {
        this.level = level;
    }

    @Override
    public void transform(ByteBuffer bytes, boolean last, Sink out) throws IOException {
        Deflater packing = begun(out);
        checksum.update(bytes.duplicate());
        packing.setInput(bytes);
        unflushed = !last && (unflushed || bytes.hasRemaining());
        if (last) {
            packing.finish();
        }
        drain(packing, Deflater.NO_FLUSH, out);
        if (last) {
            ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            trailer.putInt((int) checksum.getValue()).putInt((int) packing.getBytesRead());
            out.accept(trailer.flip());
            close();
        }
    }

    @Override
    public void flush(Sink out) throws IOException {
        if (unflushed) {
            unflushed = false;
            drain(begun(out), Deflater.SYNC_FLUSH, out);
        }
    }

    private Deflater begun(Sink out) throws IOException {
        Deflater packing = deflater;
        if (packing == null) {
            packing = new Deflater(level, true);
            deflater = packing;
            out.accept(ByteBuffer.wrap(HEAD.clone()));
        }
        return packing;
    }

    private static void drain(Deflater packing, int flush, Sink out) throws IOException {
        while (true) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
            int made = packing.deflate(piece, flush);
            if (made > 0) {
                out.accept(piece.flip());
            }
            // A piece that is not full is the last one.
            if (made < PIECE_BYTES) {
                return;
            }
        }
    }

    @Override
    public void close() {
        Deflater packing = deflater;
        if (packing != null) {
            packing.end();
        }
    }
}
