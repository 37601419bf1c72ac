package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each request is told of once, however it ends. */
final class AccessLogTest extends ContainerTest {
    /** The answer to the key of RFC 6455, 1.3. */
    private static final String ACCEPT = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

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

    private void proxyWithLog(String rest) throws Exception {
        proxy("""
                http:
                  accessLog: {filePath: "%s", format: json}
                %s
                """.formatted(file(), rest.indent(2)));
    }

    @Test
    void aWebSocketIsToldOfAtItsEndWithItsStatusAndItsBytes() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(head(101, "Upgrade: websocket", "Connection: Upgrade", ACCEPT) + "\r\n");
            peer.in().readNBytes(5);
            peer.write("1234567");
            peer.in().read();
        });
        proxyWithLog("services: {orders: {loadBalancer: {servers: [{url: \"%s\"}]}}}".formatted(backend.url()));
        RawClient client = client();
        client.send(
                "GET",
                "/chat",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13");
        assertThat(client.readHead().status()).isEqualTo(101);
        client.write("12345");
        client.in().readNBytes(7);

        client.close();

        assertThat(await(lines -> !lines.isEmpty()))
                .contains(
                        "\"OriginStatus\":101",
                        "\"DownstreamStatus\":101",
                        "\"RequestContentSize\":5",
                        "\"DownstreamContentSize\":7",
                        "\"End\":\"tunnel\"");
    }

    @Test
    void sizesAreThoseOfWhatWasSent() throws Exception {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Content-Length: 100000") + "\r\n0123456789");
            begun.get(10, TimeUnit.SECONDS);
            peer.write("0123456789");
        });
        proxyWithLog("""
                services:
                  dead: {loadBalancer: {servers: [{url: "http://127.0.0.1:%d"}]}}
                  broken: {loadBalancer: {servers: [{url: "%s"}]}}
                routers:
                  dead: {rule: "PathPrefix(`/dead`)", service: dead}
                  broken: {rule: "PathPrefix(`/broken`)", service: broken}
                """.formatted(RawBackend.refusedPort(), backend.url()));

        RawClient client = client();
        client.send("HEAD", "/dead/head");
        assertThat(client.read("HEAD").status()).isEqualTo(502);
        client.send("HEAD", "/dead/../x");
        assertThat(client.read("HEAD").status()).isEqualTo(400);
        RawMessage whole = client().get("/dead/get");
        RawClient breaking = client();
        breaking.send("GET", "/broken");
        int received;
        try {
            breaking.readHead();
            begun.complete(null);
            received = breaking.in().readAllBytes().length;
        } catch (IOException e) {
            // A reset takes with it what had come.
            received = -1;
        }

        await(lines -> lines.size() == 4);
        assertThat(lines().stream().filter(line -> line.contains("HEAD")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("\"DownstreamContentSize\":0,", "own-answer"));
        assertThat(lines().stream().filter(line -> line.contains("/dead/get")))
                .singleElement()
                .asString()
                .contains("\"DownstreamContentSize\":" + whole.bytes().length + ",");
        assertThat(received).isIn(20, -1);
        assertThat(lines().stream().filter(line -> line.contains("/broken")))
                .singleElement()
                .asString()
                .contains("\"DownstreamContentSize\":20,", "server-broke-off");
    }

    @Test
    void aHostThatIsNotForwardedToIsToldOf() throws Exception {
        proxyWithLog("""
                forwardProxy: {hosts: ["*.example.org"]}
                services: {orders: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}}
                routers: {orders: {rule: "Host(`shop.example`)", service: orders}}
                """);

        RawMessage answer = client().get("/x", "Host: evil.example");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(await(lines -> !lines.isEmpty()))
                .contains(
                        "\"RequestHost\":\"evil.example\"",
                        "\"DownstreamStatus\":403",
                        "\"DownstreamContentSize\":" + answer.bytes().length + ",",
                        "\"End\":\"own-answer\"");
    }

    @Test
    void aClientThatGoesAwayInTheMiddleOfItsBodyIsNoBadRequest() throws Exception {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            RawMessage head = peer.readHead();
            if (head != null && head.target().equals("/gone")) {
                reached.complete(null);
            }
            while (peer.in().read() >= 0) {
                // Waits for the end.
            }
        });
        proxyWithLog("services: {orders: {loadBalancer: {servers: [{url: \"%s\"}]}}}".formatted(backend.url()));
        RawClient client = client();
        client.send("POST", "/gone", "Content-Length: 100");
        client.write("0123456789");
        RawClient wrong = client();
        wrong.send("POST", "/wrong", "Transfer-Encoding: chunked");
        wrong.write("zz\r\n");
        reached.get(10, TimeUnit.SECONDS);

        client.close();

        await(lines -> lines.size() == 2);
        assertThat(lines().stream().filter(line -> line.contains("/gone")))
                .singleElement()
                .asString()
                .contains("\"DownstreamStatus\":499", "\"DownstreamContentSize\":0,", "\"End\":\"client-gone\"");
        assertThat(lines().stream().filter(line -> line.contains("/wrong")))
                .singleElement()
                .asString()
                .contains("\"DownstreamStatus\":400", "\"End\":\"own-answer\"");
    }

    private static long nanos(String line, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":([0-9]+)").matcher(line);
        assertThat(found.find()).as("%s in %s", name, line).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void whatTheProxyAnswersItselfHasTheTimesOfTheRequestAlone() throws Exception {
        RawBackend orders = backend(answer(500, "the inside"));
        RawBackend pages = backend(answer(200, "sorry"));
        proxyWithLog("""
                middlewares: {sorry: {errors: {status: ["500-599"], service: pages}}}
                services:
                  pages: {loadBalancer: {servers: [{url: "%s"}]}}
                  orders: {loadBalancer: {servers: [{url: "%s"}]}}
                  dead: {loadBalancer: {servers: [{url: "http://127.0.0.1:%d"}]}}
                  fenced: {loadBalancer: {servers: [{url: "http://127.0.0.1:1", fenced: true}]}}
                routers:
                  orders: {rule: "PathPrefix(`/orders`)", service: orders, middlewares: [sorry]}
                  paged: {rule: "PathPrefix(`/paged`)", service: dead, middlewares: [sorry]}
                  dead: {rule: "PathPrefix(`/dead`)", service: dead}
                  fenced: {rule: "PathPrefix(`/fenced`)", service: fenced}
                """.formatted(pages.url(), orders.url(), RawBackend.refusedPort()));
        long begun = System.nanoTime();
        assertThat(client().get("/orders").body()).isEqualTo("sorry");
        assertThat(client().get("/paged").body()).isEqualTo("sorry");
        assertThat(client().get("/dead").status()).isEqualTo(502);
        assertThat(client().get("/fenced").status()).isEqualTo(503);
        assertThat(client().get("/dead/../x").status()).isEqualTo(400);
        await(lines -> lines.size() == 5);
        long passed = System.nanoTime() - begun;

        assertThat(lines())
                .allSatisfy(
                        line -> assertThat(nanos(line, "Duration")).isPositive().isLessThan(passed));
        assertThat(lines())
                .filteredOn(line -> line.contains("/orders"))
                .singleElement()
                .satisfies(line -> {
                    // Not those of the page, which comes after.
                    assertThat(nanos(line, "ConnectDuration")).isPositive().isLessThan(nanos(line, "OriginDuration"));
                    assertThat(nanos(line, "OriginDuration")).isLessThan(nanos(line, "Duration"));
                });
        assertThat(lines())
                .filteredOn(line -> !line.contains("/orders"))
                .hasSize(4)
                .allSatisfy(line ->
                        assertThat(line).doesNotContain("ConnectDuration").doesNotContain("OriginDuration"));
    }

    /** A container that says that its connection can be taken over, and when it is to be has other plans. */
    private record Reluctant(Filter behind) implements Filter {
        @Override
        public void init(FilterConfig config) throws ServletException {
            behind.init(config);
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequestWrapper reluctant = new HttpServletRequestWrapper((HttpServletRequest) request) {
                @Override
                public <T extends HttpUpgradeHandler> T upgrade(Class<T> handler) {
                    throw new IllegalStateException("after all not");
                }

                @Override
                public void setAttribute(String name, Object value) {
                    if (name.endsWith(".upgradeConnection")) {
                        throw new IllegalStateException("after all not");
                    }
                    super.setAttribute(name, value);
                }
            };
            behind.doFilter(reluctant, response, chain);
        }

        @Override
        public void destroy() {
            behind.destroy();
        }
    }

    @Test
    void aConnectionThatIsNotTakenOverAfterAllIsToldOfAsItsClientSawIt() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(head(101, "Upgrade: websocket", "Connection: Upgrade", ACCEPT) + "\r\n");
            peer.in().read();
        });
        proxy(Reluctant::new, """
                http:
                  accessLog: {filePath: "%s", format: json}
                  services: {orders: {loadBalancer: {servers: [{url: "%s"}]}}}
                """.formatted(file(), backend.url()));
        RawClient client = client();
        client.send(
                "GET",
                "/chat",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13");
        RawMessage answer = client.read("GET");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(await(lines -> !lines.isEmpty()))
                .contains(
                        "\"OriginStatus\":101",
                        "\"DownstreamStatus\":502",
                        "\"DownstreamContentSize\":" + answer.bytes().length + ",",
                        "\"End\":\"own-answer\"");
        awaitNothingInFlight();
        assertThat(lines()).hasSize(1);
    }
}
