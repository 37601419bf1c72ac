package io.fairlead.health;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A check's request in HTTP/2 with prior knowledge (RFC 9113, 3.3): all that is sent on its connection. Fields are
 * written as literals, so that no table has to be kept (RFC 7541, 6.2.2).
 */
final class Http2Request {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_FRAME = 16 * 1024;
    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final int HEADERS = 1;
    private static final int END_OF_STREAM_AND_HEADERS = 0x1 | 0x4;
    /** More than is read of any answer. */
    private static final int WINDOW = 1024 * 1024;
    // Names of the static table (RFC 7541, appendix A).
    private static final int AUTHORITY = 1;
    private static final int METHOD = 2;
    private static final int PATH = 4;
    private static final int SCHEME = 6;

    private final ByteArrayOutputStream fields = new ByteArrayOutputStream();

    Http2Request(String method, String authority, String path) {
        literal(METHOD, method);
        literal(SCHEME, "http");
        literal(AUTHORITY, authority);
        literal(PATH, path);
    }

    /** @param name in lower case */
    void add(String name, String value) {
        fields.write(0);
        string(name);
        string(value);
    }

    /**
     * The connection's preface with the server's limits for its answer, and the request.
     *
     * @throws IOException its fields do not fit into one frame
     */
    ByteBuffer toBytes() throws IOException {
        if (fields.size() > MAX_FRAME) {
            throw new IOException("the header fields of the check are larger than 16 KiB");
        }
        ByteBuffer out = ByteBuffer.allocate(PREFACE.length + 64 + fields.size());
        out.put(PREFACE);
        frame(out, 6, SETTINGS, 0, 0);
        out.putShort((short) 4).putInt(WINDOW); // SETTINGS_INITIAL_WINDOW_SIZE
        frame(out, 4, WINDOW_UPDATE, 0, 0);
        out.putInt(WINDOW);
        frame(out, fields.size(), HEADERS, END_OF_STREAM_AND_HEADERS, 1);
        out.put(fields.toByteArray()).flip();
        return out;
    }

    private static void frame(ByteBuffer out, int length, int type, int flags, int stream) {
        out.put((byte) (length >> 16)).putShort((short) length);
        out.put((byte) type).put((byte) flags).putInt(stream);
    }

    private void literal(int name, String value) {
        fields.write(name);
        string(value);
    }

    private void string(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        int rest = bytes.length - 127;
        fields.write(Math.min(bytes.length, 127));
        if (rest >= 0) {
            for (; rest >= 128; rest >>= 7) {
                fields.write((rest & 127) | 128);
            }
            fields.write(rest);
        }
        fields.write(bytes, 0, bytes.length);
    }
}
