package io.fairlead.gateway;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A client of HTTP/2 without TLS (RFC 9113) that writes its frames by hand. */
final class Http2Wire implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private final Socket socket;
    private final DataInputStream in;

    /** A frame as it came. */
    record Frame(int type, int flags, ByteBuffer payload) {
        String text() {
            return StandardCharsets.UTF_8.decode(payload.duplicate()).toString();
        }

        boolean has(int octet) {
            for (int i = 0; i < payload.limit(); i++) {
                if ((payload.get(i) & 0xFF) == octet) {
                    return true;
                }
            }
            return false;
        }

        boolean isEndOfStream() {
            return (flags & END_STREAM) != 0;
        }
    }

    Http2Wire(URI address) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(SETTINGS, 0, 0, new byte[0]);
    }

    /** Sends a head, names and values in turn; the stream goes on. */
    void head(int stream, String... fields) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < fields.length; i += 2) {
            // Literal, not indexed (RFC 7541, 6.2.2).
            block.write(0);
            for (String text : new String[] {fields[i], fields[i + 1]}) {
                block.write(text.length());
                block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
            }
        }
        send(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    void data(int stream, int flags, String text) throws IOException {
        send(DATA, flags, stream, text.getBytes(StandardCharsets.UTF_8));
    }

    void reset(int stream) throws IOException {
        send(RST_STREAM, 0, stream, new byte[4]);
    }

    private void send(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload);
        socket.getOutputStream().write(frame.array());
    }

    /** The next frame of this stream; waits for it. */
    Frame read(int stream) throws IOException {
        while (true) {
            int lengthAndType = in.readInt();
            int flags = in.readUnsignedByte();
            int of = in.readInt();
            byte[] payload = in.readNBytes(lengthAndType >>> 8);
            if (of == stream) {
                return new Frame(lengthAndType & 0xff, flags, ByteBuffer.wrap(payload));
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
