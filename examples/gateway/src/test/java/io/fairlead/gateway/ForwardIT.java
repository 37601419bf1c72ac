package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as the proxy that a client names: absolute targets and CONNECT, to listed hosts alone. */
final class ForwardIT {
    @TempDir
    static Path directory;

    private static ServerSocket host;
    private static Backend backend;
    private static Path config;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        host = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        host.setSoTimeout(20_000);
        backend = Backend.named("app");
        config = Path.of(ConfigText.file(directory, text(host.getLocalPort(), port(backend))));
        Path names = directory.resolve("hosts");
        Files.writeString(names, """
                127.1.0.1 many.example
                127.1.0.2 many.example
                127.1.0.3 many.example
                127.1.0.4 many.example
                127.0.0.1 a.localhost
                """);
        gateway = GatewayProcess.start(
                List.of("-Djdk.net.hosts.file=" + names), "--config", config.toString(), "--port", "0");
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
        backend.close();
        host.close();
    }

    private static String text(int... ports) {
        StringBuilder hosts = new StringBuilder();
        for (int port : ports) {
            hosts.append(hosts.isEmpty() ? "" : ", ")
                    .append("\"127.0.0.1:")
                    .append(port)
                    .append('"');
        }
        return """
                http:
                  accessLog: {filePath: "%s", format: json}
                  forwardProxy: {hosts: [%s, "*.localhost", "many.example:1"], addresses: ["127.1.0.0/16"]}
                  services: {shop: {loadBalancer: {servers: [{url: "http://127.0.0.1:%d"}]}}}
                  routers: {shop: {rule: "Host(`shop.example`)", service: shop}}
                """.formatted(log(), hosts, port(backend));
    }

    private static Path log() {
        return directory.resolve("access.log");
    }

    /** The line of the access log that has this in it. */
    private static String told(String what) {
        await().until(() -> Files.exists(log()) && Files.readString(log()).contains(what));
        try (Stream<String> lines = Files.lines(log())) {
            return lines.filter(line -> line.contains(what)).findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int port(Backend backend) {
        return URI.create(backend.url()).getPort();
    }

    private static Socket client() throws IOException {
        Socket client = new Socket(gateway.http().getHost(), gateway.http().getPort());
        client.setSoTimeout(20_000);
        return client;
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as(head.toString()).isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String connect(String authority) throws IOException {
        try (Socket client = client()) {
            write(client, "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
            return head(client);
        }
    }

    @Test
    void connectJoinsTheTwoConnectionsUntilBothHaveEnded() throws Exception {
        byte[] large = new byte[1024 * 1024];
        Arrays.fill(large, (byte) 'x');
        try (Socket client = client()) {
            String authority = "127.0.0.1:" + host.getLocalPort();
            write(client, "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\nearly");
            // RFC 9110, 9.3.6.
            assertThat(head(client))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContainIgnoringCase("transfer-encoding")
                    .doesNotContainIgnoringCase("content-length")
                    .doesNotContainIgnoringCase("connection:");
            try (Socket server = host.accept()) {
                server.setSoTimeout(20_000);
                assertThat(server.getInputStream().readNBytes(5)).asString().isEqualTo("early");
                write(server, "hello");
                assertThat(client.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
                client.shutdownOutput();
                assertThat(server.getInputStream().read()).isEqualTo(-1);
                Thread sending = new Thread(() -> {
                    try {
                        server.getOutputStream().write(large);
                        server.shutdownOutput();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
                sending.start();
                assertThat(client.getInputStream().readAllBytes()).isEqualTo(large);
                sending.join();
            }
        }
    }

    @Test
    void connectOverHttp2JoinsTheStreamAndTheConnection() throws Exception {
        try (Http2Wire client = new Http2Wire(gateway.http())) {
            client.head(1, ":method", "CONNECT", ":authority", "127.0.0.1:" + host.getLocalPort());
            Http2Wire.Frame head = client.read(1);
            assertThat(head.type()).isEqualTo(Http2Wire.HEADERS);
            // 200, by the static table of RFC 7541.
            assertThat(head.has(0x88)).isTrue();
            try (Socket server = host.accept()) {
                server.setSoTimeout(20_000);
                client.data(1, 0, "there");
                assertThat(server.getInputStream().readNBytes(5)).asString().isEqualTo("there");
                write(server, "hello");
                assertThat(client.read(1).text()).isEqualTo("hello");

                client.data(1, Http2Wire.END_STREAM, "");
                assertThat(server.getInputStream().read()).isEqualTo(-1);
                server.shutdownOutput();
                assertThat(client.read(1).isEndOfStream()).isTrue();
            }

            client.head(3, ":method", "CONNECT", ":authority", "refused.example:443");
            assertThat(client.read(3).type()).isEqualTo(Http2Wire.HEADERS);
            assertThat(client.read(3).text()).contains("\"status\":403");
        }
    }

    @Test
    void aClientThatVanishesTakesTheHostsConnectionWithIt() throws Exception {
        Socket client = client();
        write(client, "CONNECT 127.0.0.1:" + host.getLocalPort() + " HTTP/1.1\r\nHost: a\r\n\r\n");
        head(client);
        try (Socket server = host.accept()) {
            server.setSoTimeout(20_000);
            client.setSoLinger(true, 0);
            client.close();

            assertThat(server.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void connectGoesToListedHostsAlone() throws Exception {
        assertThat(connect("127.0.0.1:1")).startsWith("HTTP/1.1 403 ").contains("application/problem+json");
        try (Wire wire = new Wire(gateway.http())) {
            wire.send("CONNECT inside.example:443 HTTP/1.1\r\nHost: a\r\n\r\n");
            // What a stranger may know, and no word of the list or of what a name means.
            assertThat(wire.answer().body())
                    .contains("\"detail\":\"The proxy may not forward to this host and port.")
                    .contains("http.forwardProxy")
                    .doesNotContain("inside.example")
                    .doesNotContain(Integer.toString(host.getLocalPort()));
        }
        // One line a second, and others may have had theirs.
        await().until(() -> {
            connect("127.0.0.1:1");
            return gateway.err()
                    .contains("refused: '127.0.0.1:1', which 127.0.0.1 asked for, is not in http.forwardProxy.hosts");
        });
        assertThat(connect("127.0.0.2:" + host.getLocalPort())).startsWith("HTTP/1.1 403 ");
        assertThat(connect("example.org:443")).startsWith("HTTP/1.1 403 ");
        // Listed, and a name that means this machine.
        assertThat(connect("a.localhost:443")).startsWith("HTTP/1.1 403 ");
        assertThat(connect("127.0.0.1")).matches("(?s)HTTP/1.1 (400|403) .*");
    }

    @Test
    void aClientOfTheJdkUsesItAsItsProxyAndTheListFollowsTheFile() throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .proxy(ProxySelector.of(new InetSocketAddress(
                        gateway.http().getHost(), gateway.http().getPort())))
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(backend) + "/x"))
                .build();
        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).body())
                .startsWith("app GET /x");

        Files.writeString(config, text(host.getLocalPort()));
        await().untilAsserted(() -> assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isNotEqualTo(200));

        Files.writeString(config, text(host.getLocalPort(), port(backend)));
        await().untilAsserted(() -> assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200));
    }

    @Test
    void theAccessLogIsToldOfWhatIsRefusedBeforeAnybodyGetsIt() throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            wire.exchange("GET /large?x HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(70_000) + "\r\n\r\n");
        }
        try (Wire wire = new Wire(gateway.http())) {
            wire.exchange("GET /two HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
        }
        try (Wire wire = new Wire(gateway.http())) {
            wire.exchange(
                    "POST /chunk HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n");
        }

        assertThat(told("/large?x"))
                .contains(
                        "\"ClientHost\":\"127.0.0.1\"",
                        "\"RequestMethod\":\"GET\"",
                        "\"RequestPath\":\"/large?x\"",
                        "\"DownstreamStatus\":431",
                        "\"End\":\"own-answer\"")
                .doesNotContain("ServiceName");
        assertThat(told("/two")).contains("\"DownstreamStatus\":400");
        assertThat(told("/chunk")).contains("\"DownstreamStatus\":400", "\"ServiceName\":\"shop\"");
        assertThat(Files.readString(log()).split("/chunk", -1)).as("once").hasSize(2);
    }

    @Test
    void theAccessLogIsToldOfEachConnect() throws Exception {
        String authority = "127.0.0.1:" + host.getLocalPort();
        try (Socket client = client()) {
            write(
                    client,
                    "CONNECT " + authority + " HTTP/1.1\r\nHost: a\r\nUser-Agent: tunnelling\r\n\r\nthirteen here");
            head(client);
            try (Socket server = host.accept()) {
                server.setSoTimeout(20_000);
                server.getInputStream().readNBytes(13);
                write(server, "1234567");
                client.getInputStream().readNBytes(7);
            }
        }
        connect("refused.example:443");

        assertThat(told("\"RequestContentSize\":13,"))
                .contains(
                        "\"RequestMethod\":\"CONNECT\"",
                        "\"RequestPath\":\"" + authority + "\"",
                        "\"ServiceURL\":\"" + authority + "\"",
                        "\"DownstreamStatus\":200",
                        "\"DownstreamContentSize\":7,",
                        "\"End\":\"tunnel\"");
        assertThat(told("\"RequestContentSize\":13,")).matches(".*\"ConnectDuration\":[1-9].*\"Duration\":[1-9].*");
        assertThat(told("refused.example:443"))
                .contains("\"DownstreamStatus\":403", "\"End\":\"own-answer\"")
                .matches(".*\"Duration\":[1-9].*")
                .doesNotContain("ServiceURL", "ConnectDuration", "OriginDuration");
    }

    @Test
    void noMoreThanThreeAddressesOfANameAreTried() throws Exception {
        assertThat(connect("many.example:1")).startsWith("HTTP/1.1 502 ");

        assertThat(told("\"RequestPath\":\"many.example:1\""))
                .contains("\"Tries\":3,", "\"DownstreamStatus\":502", "\"End\":\"own-answer\"");
    }
}
