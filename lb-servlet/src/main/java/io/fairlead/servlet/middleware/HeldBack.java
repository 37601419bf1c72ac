package io.fairlead.servlet.middleware;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps the beginning of a body, until it is whole or has become too long to be kept, and refuses one that is too long. */
final class HeldBack implements BodyTransform {
    private final long kept;
    private final long max;
    private final Deque<ByteBuffer> held = new ArrayDeque<>();
    private long taken;
    private boolean passing;

    /**
     * A body that is to be held back.
     *
     * @param kept so many bytes are
     * @param max a longer body is refused
     */
    HeldBack(long kept, long max) {
        this.kept = kept;
        this.max = max;
    }

    static OwnAnswer tooLong() {
        return OwnAnswer.of(500, "The answer of the service is too large");
    }

    @Override
    public void transform(ByteBuffer bytes, boolean last, Sink out) throws IOException {
        taken += bytes.remaining();
        if (taken > max) {
            held.clear();
            throw new AnswerException(tooLong());
        }
        if (passing) {
            out.accept(bytes);
            return;
        }
        if (!last && taken <= kept) {
            if (bytes.hasRemaining()) {
                held.add(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
            }
            return;
        }
        passing = true;
        for (ByteBuffer piece = held.poll(); piece != null; piece = held.poll()) {
            out.accept(piece);
        }
        out.accept(bytes);
    }

    @Override
    public void close() {
        held.clear();
    }
}
