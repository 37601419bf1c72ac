package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway's own 404 over HTTP/2, while the client has not sent the end of its body. */
final class EarlyNotFoundIT {
    private static final String CONFIG =
            "http: {services: {one: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}},"
                    + " routers: {one: {rule: \"Path(`/one`)\", service: one}}}\n";

    @TempDir
    Path directory;

    @Test
    void theStreamIsResetWithoutAnErrorBehindTheAnswer() throws Exception {
        Path config = Files.writeString(directory.resolve("lb.yaml"), CONFIG);
        try (GatewayProcess gateway = GatewayProcess.start("--config", config.toString(), "--port", "0");
                Http2Wire client = new Http2Wire(gateway.http())) {
            client.head(1, ":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/nope");
            client.data(1, 0, "x".repeat(100));

            StringBuilder body = new StringBuilder();
            Http2Wire.Frame frame = client.read(1);
            while (frame.type() != Http2Wire.RST_STREAM) {
                body.append(frame.type() == Http2Wire.DATA ? frame.text() : "");
                frame = client.read(1);
            }
            assertThat(body).contains("\"status\":404");
            // NO_ERROR; with CANCEL, clients drop the answer (RFC 9113, 8.1).
            assertThat(frame.payload().getInt()).isZero();
        }
    }

    /** The client's own frames at the end of each stream are no attack: what else there is on the connection goes on. */
    @Test
    void manyOfThemDoNotEndTheConnection() throws Exception {
        Path config = Files.writeString(directory.resolve("lb.yaml"), CONFIG);
        try (GatewayProcess gateway = GatewayProcess.start("--config", config.toString(), "--port", "0");
                Http2Wire client = new Http2Wire(gateway.http())) {
            int last = 2 * 400 + 1;
            for (int stream = 1; stream <= last; stream += 2) {
                client.head(stream, ":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/nope");
                client.data(stream, 0, "x");
                Http2Wire.Frame frame = client.read(stream);
                while (frame.type() != Http2Wire.RST_STREAM) {
                    frame = client.read(stream);
                }
                client.data(stream, 0, "");
                client.reset(stream);
            }
        }
    }
}
