package io.fairlead.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One connection that speaks HTTP/1.1 and nothing on its own: no retry, no redirect, no field that is not given. */
final class Wire implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    Wire(URI address) throws IOException {
        socket = new Socket();
        socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), 10_000);
        socket.setSoTimeout(60_000);
        in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
    }

    /**
     * An answer.
     *
     * @param fields by their names in lower case; those that come several times, joined with a comma
     */
    record Answer(int status, Map<String, String> fields, String body) {}

    OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    InputStream in() {
        return in;
    }

    Answer get(String path) throws IOException {
        return exchange("GET " + path + " HTTP/1.1\r\nHost: gateway.test\r\n\r\n");
    }

    /** Sends this head and reads an answer with its body. */
    Answer exchange(String head) throws IOException {
        send(head);
        return answer();
    }

    void send(String head) throws IOException {
        out().write(head.getBytes(StandardCharsets.ISO_8859_1));
        out().flush();
    }

    Answer answer() throws IOException {
        Answer head = head();
        return new Answer(head.status, head.fields, new String(body(head), StandardCharsets.UTF_8));
    }

    /** Reads up to the end of the head; the body is still to be read. */
    Answer head() throws IOException {
        String status = line();
        Map<String, String> fields = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            fields.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim(),
                    (a, b) -> a + ", " + b);
        }
        return new Answer(Integer.parseInt(status.substring(9, 12)), fields, "");
    }

    /** Whether the other side has closed the connection; waits for that or for a byte. */
    boolean isClosedByPeer() throws IOException {
        return in.read() < 0;
    }

    private byte[] body(Answer head) throws IOException {
        if (head.status == 204 || head.status == 304 || head.status < 200) {
            return new byte[0];
        }
        String length = head.fields.get("content-length");
        if (length != null) {
            return exactly(Integer.parseInt(length));
        }
        if (!"chunked".equalsIgnoreCase(head.fields.get("transfer-encoding"))) {
            return in.readAllBytes();
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.writeBytes(exactly(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the body ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended within a head, after '" + line + "'");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
