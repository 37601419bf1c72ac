package io.fairlead.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/**
 * Carries the body of an answer from the server to the client, at the pace of the slower of the two: the server is asked
 * for more only once the client's side has taken what was there.
 *
 * <p>A short body that is there at once goes into the container's buffer and needs no listener. Everything else is
 * written by the listener's rules. One thread runs at a time: whoever the last one left the work to, which is the
 * container ({@code isReady()} said no) or Jetty's client (it was asked for more).
 */
final class ResponsePump implements WriteListener {
    private final Exchange exchange;
    private final HttpServletResponse response;
    private final ServletOutputStream output;
    private final Content.Source source;
    private final long length;
    private final boolean bodiless;
    private final Runnable onDemand = Invocable.from(InvocationType.NON_BLOCKING, this::pump);

    /** What was written last: the container may still be reading from it, so it is let go when it is ready again. */
    private final AtomicReference<Content.@Nullable Chunk> held = new AtomicReference<>();

    private Content.@Nullable Chunk next;
    private boolean unflushed;
    private boolean allRead;

    /** @param length the announced length, -1 where there is none */
    ResponsePump(Exchange exchange, HttpServletResponse response, Content.Source source, long length, boolean bodiless)
            throws IOException {
        this.exchange = exchange;
        this.response = response;
        this.output = response.getOutputStream();
        this.source = source;
        this.length = length;
        this.bodiless = bodiless;
    }

    void start() {
        try {
            if (bodiless) {
                if (length >= 0) {
                    response.setContentLengthLong(length);
                } else {
                    // Else the container would announce a length of 0, which the answer to a GET need not have.
                    unflushed = true;
                }
            } else if (length < 0 || length < directLimit()) {
                if (bufferWhole()) {
                    return;
                }
                announceLength();
            } else {
                announceLength();
            }
            output.setWriteListener(this);
        } catch (IOException | RuntimeException e) {
            exchange.clientGone(e);
        }
    }

    private void announceLength() {
        if (length >= 0) {
            response.setContentLengthLong(length);
        }
        // What is known of the answer goes out at once, however long its body may take.
        unflushed = true;
    }

    /** Containers write through what is longer than a part of their buffer. */
    private int directLimit() {
        return response.getBufferSize() / 4;
    }

    /** Takes what is there; true when that was all of it and the answer is done. */
    private boolean bufferWhole() throws IOException {
        int room = directLimit();
        while (true) {
            Content.Chunk chunk = source.read();
            if (chunk == null) {
                return false;
            }
            if (Content.Chunk.isFailure(chunk) || chunk.remaining() >= room) {
                next = chunk;
                return false;
            }
            room -= chunk.remaining();
            boolean last = chunk.isLast();
            write(chunk.getByteBuffer());
            chunk.release();
            if (last) {
                exchange.answerRead();
                exchange.finish();
                return true;
            }
        }
    }

    @Override
    public void onWritePossible() {
        pump();
    }

    @Override
    public void onError(Throwable t) {
        exchange.clientGone(t);
    }

    private void pump() {
        try {
            while (!exchange.hasEnded() && output.isReady()) {
                release();
                if (allRead && !unflushed) {
                    exchange.finish();
                    return;
                }
                if (!step()) {
                    return;
                }
            }
        } catch (IOException | RuntimeException e) {
            exchange.clientGone(e);
        }
        if (exchange.hasEnded() && next != null) {
            next.release();
            next = null;
        }
    }

    /** Moves on by one write; false when it is somebody else's turn. */
    private boolean step() throws IOException {
        Content.Chunk chunk = next != null || allRead ? next : source.read();
        next = null;
        if (chunk == null) {
            if (unflushed) {
                unflushed = false;
                output.flush();
                return true;
            }
            source.demand(onDemand);
            return false;
        }
        if (Content.Chunk.isFailure(chunk)) {
            exchange.brokenOff(chunk.getFailure());
            return false;
        }
        if (chunk.isLast()) {
            allRead = true;
            unflushed &= bodiless;
            exchange.answerRead();
        }
        if (chunk.hasRemaining()) {
            unflushed |= !allRead;
            held.set(chunk);
            write(chunk.getByteBuffer());
        } else {
            chunk.release();
        }
        return true;
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (!bytes.hasRemaining()) {
            return;
        }
        if (bytes.hasArray()) {
            output.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        } else {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            output.write(copy);
        }
    }

    /** Lets go of the buffer that was written last; called when the container is done with it. */
    void release() {
        Content.Chunk written = held.getAndSet(null);
        if (written != null) {
            written.release();
        }
    }
}
