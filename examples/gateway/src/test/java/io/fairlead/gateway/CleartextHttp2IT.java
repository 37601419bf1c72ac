package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that ask for HTTP/2 by {@code Upgrade}; the server answers with the body that it got. */
final class CleartextHttp2IT {
    @TempDir
    Path directory;

    private Backend echo;
    private GatewayProcess gateway;

    @BeforeEach
    void start() throws Exception {
        echo = new Backend(exchange ->
                Backend.answer(exchange, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        Path config = Files.writeString(
                directory.resolve("lb.yaml"),
                "http: {services: {echo: {loadBalancer: {servers: [{url: \"" + echo.url() + "\"}]}}}}\n");
        gateway = GatewayProcess.start("--config", config.toString(), "--port", "0");
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        echo.close();
    }

    @Test
    void aBodyInChunksComesWholeWhenItsRequestAsksForAnUpgrade() throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            String[] head = {
                "POST / HTTP/1.1",
                "Host: a",
                "Connection: Upgrade, HTTP2-Settings",
                "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAAQAAP__",
                "Transfer-Encoding: chunked"
            };
            Wire.Answer answer = wire.exchange(String.join("\r\n", head) + "\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("abc");
        }
    }

    @Test
    void theClientOfTheJdkSendsItsFirstBodyWhole() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(gateway.http().resolve("/"))
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream("hello".getBytes(StandardCharsets.UTF_8))))
                .build();
        HttpClient client = HttpClient.newHttpClient();

        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo("hello");
        assertThat(client.send(HttpRequest.newBuilder(request.uri()).build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }
}
