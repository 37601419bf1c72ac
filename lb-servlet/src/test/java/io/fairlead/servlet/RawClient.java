package io.fairlead.servlet;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client made by hand on a socket, which keeps its connection. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final BufferedInputStream in;
    private final OutputStream out;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** Sends a GET for this target and reads the answer. */
    RawMessage get(String target, String... fields) throws IOException {
        return exchange("GET", target, "", fields);
    }

    /** Sends a request with a body as it is given, framed by the fields, and reads the answer. */
    RawMessage exchange(String method, String target, String body, String... fields) throws IOException {
        send(method, target, fields);
        write(body);
        return read(method);
    }

    /** Sends a request without a body. */
    void send(String method, String target, String... fields) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        boolean host = false;
        for (String field : fields) {
            host |= field.startsWith("Host:");
            head.append(field).append("\r\n");
        }
        write((host ? head : head.append("Host: shop.example\r\n")) + "\r\n");
    }

    void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** Reads the answer to a request of this method; answers that only announce it are passed over. */
    RawMessage read(String method) throws IOException {
        RawMessage answer = readHead();
        while (answer.status() > 101 && answer.status() < 200) {
            answer = readHead();
        }
        boolean bodiless = method.equals("HEAD") || answer.status() == 204 || answer.status() == 304;
        if (!bodiless) {
            answer.readBody(in, true);
        }
        return answer;
    }

    RawMessage readHead() throws IOException {
        RawMessage answer = RawMessage.readHead(in);
        if (answer == null) {
            throw new IOException("the connection was closed without an answer");
        }
        return answer;
    }

    BufferedInputStream in() {
        return in;
    }

    OutputStream out() {
        return out;
    }

    Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
