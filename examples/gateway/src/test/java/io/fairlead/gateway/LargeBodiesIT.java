package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies of eight times the heap. */
@Tag("large")
final class LargeBodiesIT {
    private static final long GIB = 1L << 30;

    @TempDir
    Path directory;

    @Test
    void aGibibyteGoesUpByteForByte() throws Exception {
        try (Backend backend =
                        new Backend(exchange -> Backend.answer(exchange, received(exchange.getRequestBody(), GIB)));
                GatewayProcess gateway = start(backend);
                Wire wire = new Wire(gateway.http())) {
            wire.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: " + GIB + "\r\n\r\n");
            String sent = send(wire.out());

            Wire.Answer answer = wire.answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(sent);
        }
    }

    @Test
    void aGibibyteComesDownByteForByte() throws Exception {
        CompletableFuture<String> sent = new CompletableFuture<>();
        try (Backend backend = new Backend(exchange -> {
                    try (exchange) {
                        exchange.sendResponseHeaders(200, GIB);
                        sent.complete(send(exchange.getResponseBody()));
                    }
                });
                GatewayProcess gateway = start(backend);
                Wire wire = new Wire(gateway.http())) {
            wire.send("GET /download HTTP/1.1\r\nHost: a\r\n\r\n");
            Wire.Answer head = wire.head();

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.fields().get("content-length")).isEqualTo(String.valueOf(GIB));
            assertThat(received(wire.in(), GIB)).isEqualTo(sent.join());
        }
    }

    private GatewayProcess start(Backend backend) throws IOException {
        return GatewayProcess.start(
                List.of("-Xmx128m"),
                "--config",
                ConfigText.file(directory, ConfigText.service(backend)),
                "--port",
                "0");
    }

    /** Sends a body in which no block is like another, and returns its digest. */
    private static String send(OutputStream out) throws IOException {
        byte[] block = new byte[1 << 20];
        new Random(7).nextBytes(block);
        MessageDigest digest = sha256();
        for (long sent = 0; sent < GIB; sent += block.length) {
            ByteBuffer.wrap(block).putLong(0, sent);
            digest.update(block);
            out.write(block);
        }
        out.flush();
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String received(InputStream in, long length) throws IOException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[1 << 16];
        long left = length;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                return "ended " + left + " bytes early";
            }
            digest.update(buffer, 0, read);
            left -= read;
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
