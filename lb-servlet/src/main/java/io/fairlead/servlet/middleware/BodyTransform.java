package io.fairlead.servlet.middleware;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A change of the body of one answer, made piece by piece: so much is asked of the server as the client has taken, and
 * nothing is kept but what the transform keeps itself.
 *
 * <p>Called by one thread at a time, not always by the same one; none may be blocked. What a call throws breaks the answer
 * off, or, where nothing of it has been sent, becomes a 502.
 */
public interface BodyTransform {
    /** Takes what a transform makes. */
    @FunctionalInterface
    interface Sink {
        /** Takes a piece; throws what whoever gets it throws. */
        void accept(ByteBuffer bytes) throws IOException;
    }

    /**
     * Takes a piece of the body.
     *
     * @param bytes the piece, valid during the call; empty only where it is the last one
     * @param last whether it is the last one
     * @param out takes what is to be sent, in order; the buffers belong to it from then on, and {@code bytes} itself may
     *     be one of them
     */
    void transform(ByteBuffer bytes, boolean last, Sink out) throws IOException;

    /** For the moment there is no more: hands on what is kept back without need, so that the client has all there is. */
    default void flush(Sink out) throws IOException {
        // Most keep nothing back.
    }

    /** No more is asked of it; called once, if anything has been, also when the answer did not come to its end. */
    default void close() {
        // Most hold nothing.
    }
}
