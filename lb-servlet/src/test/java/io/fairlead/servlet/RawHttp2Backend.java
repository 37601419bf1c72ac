package io.fairlead.servlet;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A server over HTTP/2 without TLS, made of frames by hand (RFC 9113, 4 and 6), which says what no library lets one say.
 * It never closes a connection by itself.
 */
final class RawHttp2Backend {
    static final int END_STREAM = 1;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;

    private RawHttp2Backend() {}

    /** What is answered to a request. */
    interface Answering {
        void answer(Answer answer) throws IOException;
    }

    /** Answers each request when its head is there, whatever it is. */
    static RawBackend answering(Answering answering) throws IOException {
        return RawBackend.running(peer -> {
            DataInputStream in = new DataInputStream(peer.in());
            in.skipNBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length());
            peer.out().write(frame(SETTINGS, 0, 0, new byte[0]));
            try {
                while (true) {
                    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                    int type = in.readUnsignedByte();
                    int flags = in.readUnsignedByte();
                    int stream = in.readInt();
                    in.skipNBytes(length);
                    if (type == SETTINGS && (flags & ACK) == 0) {
                        peer.out().write(frame(SETTINGS, ACK, 0, new byte[0]));
                    } else if (type == HEADERS) {
                        Answer answer = new Answer(stream);
                        answering.answer(answer);
                        peer.out().write(answer.frames.toByteArray());
                    }
                }
            } catch (EOFException e) {
                // The proxy has closed the connection.
            }
        });
    }

    /** The URL of such a server. */
    static String url(RawBackend backend) {
        return "h2c://127.0.0.1:" + backend.port();
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        return bytes.toByteArray();
    }

    /** The frames of an answer, which are written at once. */
    static final class Answer {
        private final int stream;
        private final ByteArrayOutputStream frames = new ByteArrayOutputStream();

        private Answer(int stream) {
            this.stream = stream;
        }

        /** @param fields names and values in turn, pseudo-fields among them */
        Answer head(int flags, String... fields) throws IOException {
            frames.write(frame(HEADERS, flags | END_HEADERS, stream, RawHttp2Request.encoded(List.of(fields))));
            return this;
        }

        Answer data(int flags, String text) throws IOException {
            frames.write(frame(DATA, flags, stream, text.getBytes(StandardCharsets.UTF_8)));
            return this;
        }

        /** Resets the stream with this code. */
        Answer reset(int error) throws IOException {
            frames.write(frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, (byte) error}));
            return this;
        }

        /** Lets the client send so much more. */
        Answer window(int bytes) throws IOException {
            byte[] payload = {(byte) (bytes >> 24), (byte) (bytes >> 16), (byte) (bytes >> 8), (byte) bytes};
            frames.write(frame(WINDOW_UPDATE, 0, stream, payload));
            return this;
        }

        /** Says that it is going to go away, but not after which request (RFC 9113, 6.8). */
        Answer goingAway() throws IOException {
            frames.write(frame(GOAWAY, 0, 0, new byte[] {127, -1, -1, -1, 0, 0, 0, 0}));
            return this;
        }
    }
}
