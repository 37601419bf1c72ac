package io.fairlead.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * How much of a long answer is gathered in the container's buffer before it is sent on.
 *
 * <p>Tomcat is not ready while anything that has left the response's buffer stands in its socket's buffer, and after a
 * write of more than the response's buffer holds some of it always does: the socket is then registered with the poller,
 * and a thread of the pool goes on, for each piece anew. A flush leaves nothing behind, but may not follow such a write.
 * So there a piece is put into the response's buffer, which is made as large as pieces are, and flushed from it by the
 * same thread. Other containers write from what they are given, and gather nothing.
 */
final class Gathering {
    /** As much as one read of a server's answer brings. */
    private static final int BYTES = Upstream.BODY_BUFFER_BYTES;
    /** So much may be left to the end of the response, where a container may write it while its thread waits. */
    private static final int LEFT_TO_THE_END = 8 * 1024;

    private final int capacity;
    private int gathered;

    private Gathering(int capacity, int gathered) {
        this.capacity = capacity;
        this.gathered = gathered;
    }

    /**
     * What the container of a response gathers.
     *
     * @param written so many bytes stand in the response's buffer
     * @return null: nothing
     */
    static @Nullable Gathering of(HttpServletResponse response, ServletOutputStream output, long written) {
        if (!output.getClass().getName().startsWith("org.apache.catalina.")) {
            return null;
        }
        if (written == 0 && response.getBufferSize() < BYTES) {
            try {
                response.setBufferSize(BYTES);
            } catch (IllegalStateException e) {
                // Somebody before us has written something: the buffer stays as it is.
            }
        }
        // A response may be wrapped, and say anything.
        int capacity = Math.max(1024, response.getBufferSize());
        return new Gathering(capacity, (int) Math.min(capacity, written));
    }

    /** How many of so many bytes may be written before the next flush. */
    int fitting(int bytes) {
        return Math.min(bytes, capacity - gathered);
    }

    /** So many have been written. */
    void took(int bytes) {
        gathered += bytes;
    }

    /** Whether nothing may be written before a flush. */
    boolean isFull() {
        return gathered >= capacity;
    }

    void flushed() {
        gathered = 0;
    }

    /** Whether more is left than the end of a response may be left to send. */
    boolean isMuch() {
        return gathered > LEFT_TO_THE_END;
    }
}
