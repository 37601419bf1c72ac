package io.fairlead.health;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Takes the frames of a server of HTTP/2 and hands the status and the body of the answer on. It reads no field but the
 * status, and acknowledges nothing: the connection ends with its only answer.
 */
final class Http2Answer {
    private static final int HEAD = 9;
    private static final int MAX_FRAME = 16 * 1024;
    private static final int MAX_FIELDS = 64 * 1024;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int GOAWAY = 7;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 0x1;
    private static final int END_HEADERS = 0x4;
    private static final int PADDED = 0x8;
    private static final int PRIORITY = 0x20;

    private final HttpAnswer into;
    private final ByteBuffer frame = ByteBuffer.allocate(HEAD + MAX_FRAME);
    private final ByteArrayOutputStream fields = new ByteArrayOutputStream();
    /** Whether the fields that are coming in are the stream's last frames. */
    private boolean last;

    private boolean finalHead;

    Http2Answer(HttpAnswer into) {
        this.into = into;
    }

    /**
     * Takes bytes in until the answer is complete.
     *
     * @throws IOException they are not HTTP/2, or the server ends the request
     */
    void feed(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && !into.isComplete()) {
            int missing = missing();
            int count = Math.min(missing, bytes.remaining());
            for (int i = 0; i < count; i++) {
                frame.put(bytes.get());
            }
            if (missing() == 0) {
                frame.flip();
                take();
                frame.clear();
            }
        }
    }

    /** How many bytes of the frame, or at first of its head, are still to come. */
    private int missing() throws IOException {
        if (frame.position() < HEAD) {
            return HEAD - frame.position();
        }
        int length = ((frame.get(0) & 255) << 16) | (frame.getShort(1) & 0xffff);
        if (length > MAX_FRAME) {
            throw new IOException("the answer is not HTTP/2");
        }
        return HEAD + length - frame.position();
    }

    private void take() throws IOException {
        int type = frame.get(3);
        int flags = frame.get(4);
        int stream = frame.getInt(5) & Integer.MAX_VALUE;
        frame.position(HEAD);
        if (type == GOAWAY && frame.remaining() >= Integer.BYTES && frame.getInt(HEAD) == 0) {
            throw new IOException("the server does not take the request");
        }
        if (stream != 1) {
            return;
        }
        switch (type) {
            case HEADERS:
                unpad(flags);
                if ((flags & PRIORITY) != 0) {
                    skip(5);
                }
                last = (flags & END_STREAM) != 0;
                fields(flags);
                break;
            case CONTINUATION:
                fields(flags);
                break;
            case DATA:
                if (!finalHead) {
                    throw new IOException("the answer begins without a head");
                }
                unpad(flags);
                into.feed(frame);
                end(flags);
                break;
            case RST_STREAM:
                throw new IOException("the server has reset the request");
            default:
                break;
        }
    }

    private void fields(int flags) throws IOException {
        fields.write(frame.array(), frame.position(), frame.remaining());
        if (fields.size() > MAX_FIELDS) {
            throw new IOException("the head of the answer is larger than 64 KiB");
        }
        if ((flags & END_HEADERS) == 0) {
            return;
        }
        if (!finalHead) {
            int status = Http2Status.of(ByteBuffer.wrap(fields.toByteArray()));
            finalHead = status >= 200;
            into.feed(ByteBuffer.wrap(("HTTP/1.1 " + status + " \r\n\r\n").getBytes(StandardCharsets.US_ASCII)));
        }
        fields.reset();
        end(last ? END_STREAM : 0);
    }

    private void end(int flags) throws IOException {
        if ((flags & END_STREAM) != 0 && !into.isComplete()) {
            into.end();
        }
    }

    private void unpad(int flags) throws IOException {
        if ((flags & PADDED) != 0) {
            if (!frame.hasRemaining()) {
                throw new IOException("the answer is not HTTP/2");
            }
            int padding = frame.get() & 255;
            if (padding > frame.remaining()) {
                throw new IOException("the answer is not HTTP/2");
            }
            frame.limit(frame.limit() - padding);
        }
    }

    private void skip(int count) throws IOException {
        if (frame.remaining() < count) {
            throw new IOException("the answer is not HTTP/2");
        }
        frame.position(frame.position() + count);
    }
}
