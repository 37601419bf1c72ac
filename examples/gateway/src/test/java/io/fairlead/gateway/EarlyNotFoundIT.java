package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway's own 404 over HTTP/2, while the client has not sent the end of its body. */
final class EarlyNotFoundIT {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int END_HEADERS = 4;

    @TempDir
    Path directory;

    @Test
    void theStreamIsResetWithoutAnErrorBehindTheAnswer() throws Exception {
        Path config = Files.writeString(
                directory.resolve("lb.yaml"),
                "http: {services: {one: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}},"
                        + " routers: {one: {rule: \"Path(`/one`)\", service: one}}}\n");
        try (GatewayProcess gateway = GatewayProcess.start("--config", config.toString(), "--port", "0")) {
            URI uri = gateway.http();
            try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
                socket.setSoTimeout(10_000);
                ByteArrayOutputStream request = new ByteArrayOutputStream();
                request.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                request.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
                request.writeBytes(frame(HEADERS, END_HEADERS, 1, fields()));
                request.writeBytes(frame(DATA, 0, 1, new byte[100]));
                socket.getOutputStream().write(request.toByteArray());

                DataInputStream in = new DataInputStream(socket.getInputStream());
                StringBuilder body = new StringBuilder();
                while (true) {
                    int lengthAndType = in.readInt();
                    in.readUnsignedByte();
                    in.readInt();
                    byte[] payload = in.readNBytes(lengthAndType >>> 8);
                    int type = lengthAndType & 0xff;
                    if (type == DATA) {
                        body.append(new String(payload, StandardCharsets.UTF_8));
                    } else if (type == RST_STREAM) {
                        assertThat(body).contains("\"status\":404");
                        // NO_ERROR; with CANCEL, clients drop the answer (RFC 9113, 8.1).
                        assertThat(ByteBuffer.wrap(payload).getInt()).isZero();
                        return;
                    }
                }
            }
        }
    }

    private static byte[] fields() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String[] fields = {":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/nope"};
        for (int i = 0; i < fields.length; i += 2) {
            // Literal, not indexed (RFC 7541, 6.2.2).
            out.write(0);
            for (String text : new String[] {fields[i], fields[i + 1]}) {
                out.write(text.length());
                out.write(text.getBytes(StandardCharsets.US_ASCII));
            }
        }
        return out.toByteArray();
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }
}
