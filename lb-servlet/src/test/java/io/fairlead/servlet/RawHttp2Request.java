package io.fairlead.servlet;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One request over HTTP/2 without TLS, made of frames by hand (RFC 9113, 4 and 6), since clients take the liberty of
 * leaving bodies out or adding lengths. What is answered is read for its end only.
 */
final class RawHttp2Request implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private final Socket socket;
    private final DataOutputStream out;

    private RawHttp2Request(int port, byte... settings) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        // Tomcat wants the preface in one piece.
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        frame(SETTINGS, 0, 0, settings);
    }

    /** Sends a head that nothing follows. */
    static RawHttp2Request without(int port, String method) throws IOException {
        RawHttp2Request request = new RawHttp2Request(port);
        request.frame(HEADERS, END_STREAM | END_HEADERS, 1, head(method));
        return request;
    }

    /** Sends a request whose client takes nothing of a body: its window is 0 (RFC 9113, 6.5.2). */
    static RawHttp2Request deaf(int port, String method, String body) throws IOException {
        RawHttp2Request request = new RawHttp2Request(port, new byte[] {0, 4, 0, 0, 0, 0});
        request.frame(HEADERS, END_HEADERS, 1, head(method));
        request.end(body);
        return request;
    }

    /** Sends a head with neither length nor type, from which nobody knows whether the body will ever come. */
    static RawHttp2Request begin(int port, String method) throws IOException {
        RawHttp2Request request = new RawHttp2Request(port);
        request.frame(HEADERS, END_HEADERS, 1, head(method));
        return request;
    }

    /**
     * Sends a request as it is.
     *
     * @param fields names and values in turn, pseudo-fields among them
     * @param body null: the request ends with its head
     */
    static RawHttp2Request of(int port, List<String> fields, String body) throws IOException {
        RawHttp2Request request = new RawHttp2Request(port);
        request.frame(HEADERS, body == null ? END_STREAM | END_HEADERS : END_HEADERS, 1, encoded(fields));
        if (body != null) {
            request.end(body);
        }
        return request;
    }

    /** Reads until the stream or the connection has ended. */
    void awaitEnd() throws IOException {
        socket.setSoTimeout(5_000);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        try {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                in.skipNBytes(length);
                boolean ends = (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
                if (type == GOAWAY || (stream == 1 && (ends || type == RST_STREAM))) {
                    return;
                }
            }
        } catch (EOFException | SocketException e) {
            // The connection has ended.
        }
    }

    /** Sends the body, which ends the request. */
    void end(String body) throws IOException {
        frame(DATA, END_STREAM, 1, body.getBytes(StandardCharsets.UTF_8));
    }

    private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        out.flush();
    }

    private static byte[] head(String method) {
        return encoded(List.of(":method", method, ":scheme", "http", ":authority", "shop.example", ":path", "/a?b"));
    }

    /** Literal fields that are not indexed (RFC 7541, 6.2.2), not in Huffman's code. */
    static byte[] encoded(List<String> fields) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        for (int i = 0; i < fields.size(); i += 2) {
            head.write(0);
            text(head, fields.get(i));
            text(head, fields.get(i + 1));
        }
        return head.toByteArray();
    }

    private static void text(ByteArrayOutputStream to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        // Below 127 one byte (RFC 7541, 5.1).
        if (bytes.length < 127) {
            to.write(bytes.length);
        } else {
            to.write(127);
            to.write(bytes.length - 127);
        }
        to.writeBytes(bytes);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
