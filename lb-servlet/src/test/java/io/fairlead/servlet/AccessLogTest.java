package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each request is told of once, however it ends. */
final class AccessLogTest extends ContainerTest {
    @TempDir
    private Path directory;

    @Test
    void eachEndIsToldOnceWithServerTriesAndTimes() throws Exception {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                switch (peer.last().target()) {
                    case "/fine" -> peer.write(answer(201, "hello"));
                    case "/broken" -> {
                        peer.write(head(200, "Content-Length: 100000") + "\r\n" + "x".repeat(50_000));
                        return;
                    }
                    default -> gone.get(10, TimeUnit.SECONDS);
                }
            }
        });
        int refused = RawBackend.refusedPort();
        proxyTo(backend.url(), "combined", refused);

        RawClient client = client();
        for (int i = 0; i < 2; i++) {
            client.send("GET", "/fine", "User-Agent: test \"1\"", "Authorization: Basic ZnJhbms6c2VjcmV0");
            assertThat(client.read("GET").status()).isEqualTo(201);
        }
        client.send("GET", "/x/..;/b");
        assertThat(client.read("GET").status()).isEqualTo(400);
        RawClient breaking = client();
        breaking.send("GET", "/broken");
        breaking.readHead();
        String until = await(lines -> lines.stream().anyMatch(line -> line.contains("/broken")));
        assertThat(until).doesNotContain("ZnJhbms6c2VjcmV0");
        gone.complete(null);
        stopProxy();

        List<String> lines = Files.readAllLines(file());
        assertThat(lines.stream().filter(line -> line.contains("/fine")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("127.0.0.1 - frank [")
                        .contains("] \"GET /fine HTTP/1.1\" 201 5 \"-\" \"test \\x221\\x22\" \"-\" \"orders\" \""
                                + backend.url() + "\"")
                        .matches(".* [12] [0-9]+\\.[0-9]{3} [0-9]+\\.[0-9]{3} [0-9]+\\.[0-9]{3} complete"));
        // One of the two went first to the server that refuses.
        assertThat(lines.stream().filter(line -> line.matches(".*/fine.* 2 [0-9.]+ [0-9.]+ [0-9.]+ complete")))
                .hasSize(1);
        assertThat(lines.stream().filter(line -> line.contains("/b HTTP")))
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("\" 400 ").matches(".* \"-\" 0 - - [0-9]+\\.[0-9]{3} own-answer"));
        assertThat(lines.stream().filter(line -> line.contains("/broken")))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("\" 200 ").endsWith("server-broke-off"));
        assertThat(lines).hasSize(4);
    }

    private Path file() {
        return directory.resolve("access.log");
    }

    private void proxyTo(String url, String format, int refused) throws Exception {
        proxy("""
                http:
                  accessLog: {filePath: "%s", format: %s}
                  services:
                    orders: {loadBalancer: {servers: [{url: "http://127.0.0.1:%d"}, {url: "%s"}]}}
                """.formatted(file(), format, refused, url));
    }

    private interface Condition {
        boolean holds(List<String> lines);
    }

    private String await(Condition condition) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(10))
                .until(() -> condition.holds(lines()));
        return String.join("\n", lines());
    }

    private List<String> lines() {
        try {
            return Files.exists(file()) ? Files.readAllLines(file()) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aClientThatGoesAwayIsToldOf() throws Exception {
        CompletableFuture<Void> seen = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Content-Length: 100000000") + "\r\n");
            seen.complete(null);
            while (true) {
                peer.write("x".repeat(100_000));
            }
        });
        proxy("""
                http:
                  accessLog: {filePath: "%s", format: json}
                  services: {orders: {loadBalancer: {servers: [{url: "%s"}]}}}
                """.formatted(file(), backend.url()));
        RawClient client = client();
        client.send("GET", "/long");
        seen.get(10, TimeUnit.SECONDS);
        client.readHead();

        client.close();

        String line = await(lines -> !lines.isEmpty());
        assertThat(line)
                .contains(
                        "\"RequestPath\":\"/long\"",
                        "\"DownstreamStatus\":200",
                        "\"Tries\":1",
                        "\"End\":\"client-gone\"");
    }
}
