package io.fairlead.servlet;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * One request over HTTP/2 without TLS, made of frames by hand (RFC 9113, 4 and 6), since clients take the liberty of
 * leaving bodies out or adding lengths. What is answered is not read.
 */
final class RawHttp2Request implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private final Socket socket;
    private final DataOutputStream out;

    private RawHttp2Request(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        // Tomcat wants the preface in one piece.
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        frame(SETTINGS, 0, 0, new byte[0]);
    }

    /** Sends a head that nothing follows. */
    static RawHttp2Request without(int port, String method) throws IOException {
        RawHttp2Request request = new RawHttp2Request(port);
        request.frame(HEADERS, END_STREAM | END_HEADERS, 1, head(method));
        return request;
    }

    /** Sends a head with neither length nor type, from which nobody knows whether the body will ever come. */
    static RawHttp2Request begin(int port, String method) throws IOException {
        RawHttp2Request request = new RawHttp2Request(port);
        request.frame(HEADERS, END_HEADERS, 1, head(method));
        return request;
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

    /** Literal fields that are not indexed (RFC 7541, 6.2.2), not in Huffman's code. */
    private static byte[] head(String method) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        String[] fields = {":method", method, ":scheme", "http", ":authority", "shop.example", ":path", "/a?b"};
        for (int i = 0; i < fields.length; i += 2) {
            head.write(0);
            text(head, fields[i]);
            text(head, fields[i + 1]);
        }
        return head.toByteArray();
    }

    private static void text(ByteArrayOutputStream to, String text) {
        to.write(text.length());
        to.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
