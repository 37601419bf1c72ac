package io.fairlead.servlet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer as middlewares have changed it. It is read by one thread at a time, and asks the server for more
 * only when all that has been made of what was there has been taken.
 */
final class TransformedSource implements Content.Source {
    /** What is decoded may become a thousand times as long: it is taken in small bites. */
    private static final int DECODED_BITE = 512;

    private static final int BITE = 16 * 1024;

    private final Content.Source source;
    private final BodyTransforms transforms;
    private final int bite;
    private final Deque<ByteBuffer> made = new ArrayDeque<>();
    private Content.@Nullable Chunk taken;
    private Content.@Nullable Chunk failure;
    private boolean ended;
    private boolean flushed;
    private boolean closed;
    private boolean failed;

    TransformedSource(Content.Source source, Head head) {
        this.source = source;
        this.transforms = new BodyTransforms(head.transforms());
        this.bite = head.decodes() ? DECODED_BITE : BITE;
    }

    @Override
    public Content.@Nullable Chunk read() {
        if (closed) {
            return source.read();
        }
        while (true) {
            ByteBuffer piece = made.poll();
            if (piece != null) {
                return Content.Chunk.from(piece, ended && made.isEmpty());
            }
            if (failure != null) {
                return failure;
            }
            if (ended) {
                return Content.Chunk.EOF;
            }
            try {
                if (!advance()) {
                    return null;
                }
            } catch (IOException | RuntimeException | Error e) {
                failure = Content.Chunk.from(e);
                failed = true;
            }
        }
    }

    /** Has something made of what is there; false when there is nothing. */
    private boolean advance() throws IOException {
        Content.Chunk chunk = taken;
        if (chunk != null && !chunk.hasRemaining()) {
            chunk.release();
            taken = null;
            chunk = null;
        }
        if (chunk == null) {
            chunk = source.read();
            if (chunk == null) {
                return flush();
            }
            if (Content.Chunk.isFailure(chunk)) {
                failure = chunk;
                return true;
            }
            taken = chunk;
            if (!chunk.hasRemaining() && !chunk.isLast()) {
                return true;
            }
        }
        flushed = false;
        ByteBuffer bytes = chunk.getByteBuffer();
        int length = Math.min(bite, bytes.remaining());
        ByteBuffer part = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        boolean last = chunk.isLast() && !bytes.hasRemaining();
        transforms.transform(part, last, made::add);
        if (last) {
            ended = true;
        }
        return true;
    }

    private boolean flush() throws IOException {
        if (flushed) {
            return false;
        }
        flushed = true;
        transforms.flush(made::add);
        return !made.isEmpty();
    }

    @Override
    public void demand(Runnable callback) {
        source.demand(callback);
    }

    @Override
    public void fail(Throwable cause) {
        source.fail(cause);
    }

    /** Whether the failure that was read is not the server's. */
    boolean hasFailedItself() {
        return failed;
    }

    /** Nothing is changed any more; what is still read, by the same thread, is what the server sends. */
    void close() {
        if (!closed) {
            closed = true;
            transforms.close();
        }
    }

    /** What has been read is not used any more. */
    void release() {
        Content.Chunk rest = taken;
        taken = null;
        if (rest != null) {
            rest.release();
        }
    }
}
