package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the container does before and after the filter, on one gateway with one route. */
final class ProxyIT {
    @TempDir
    static Path directory;

    private static Backend backend;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        backend = Backend.named("app");
        String routes = """
                  routers:
                    app: {rule: "PathPrefix(`/app`)", service: app}
                    host: {rule: "Host(`target.test:81`)", service: app}
                    packed: {rule: "Path(`/packed`)", service: app, middlewares: [packed]}
                  middlewares:
                    packed: {compress: {minResponseBodyBytes: 1}}
                """;
        gateway = GatewayProcess.start(
                "--config", ConfigText.file(directory, ConfigText.service(backend) + routes), "--port", "0");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        backend.close();
    }

    @Test
    void whatARouterMatchesGoesToItsService() throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            Wire.Answer answer = wire.get("/app/x?y=1");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("app GET /app/x?y=1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/app/x", "/packed"})
    void anAnswerToHeadSaysNothingOfALengthThatNobodyKnows(String path) throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            wire.send("HEAD " + path + " HTTP/1.1\r\nHost: gateway.test\r\nAccept-Encoding: gzip\r\n\r\n");
            Wire.Answer head = wire.head();

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.fields()).doesNotContainKeys("transfer-encoding", "content-length", "connection");
            assertThat(wire.get("/app/y").body()).isEqualTo("app GET /app/y");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/application", "/other"})
    void whatNoRouterMatchesIsAProblemOf404(String path) throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            assertProblem(wire.get(path), 404, "Not Found");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"})
    void whatNoRouterMatchesIs404ForAnyMethod(String method) throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            String head = method + " /other HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 0\r\n\r\n";
            assertProblem(wire.exchange(head), 404, "Not Found");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/app/a%2Fb", "/app/a%25b", "/app//b", "/app/a%5Cb", "/app/%FF", "/app/a;v=1/b"})
    void encodedPathsArriveAsTheyCame(String path) throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            Wire.Answer answer = wire.get(path);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("app GET " + path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/app/../x", "/app/%2e%2e/x", "/app/..%2Fx", "/app/..;/x", "/app/%2E./x", "/app/..%5Cx"})
    void aPathThatWouldLeaveItsRouteIsAProblemOf400(String path) throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            assertProblem(wire.get(path), 400, "The path of the request leaves its route");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /app HTTP/1.1\r\n\r\n",
                "GET /app HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET /app HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET http://a/app HTTP/1.1\r\n\r\n",
                "POST /app HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "GET /app HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /../../x HTTP/1.1\r\nHost: a\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void whatTheParserRefusesIsAProblemToo(String head) throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            assertProblem(wire.exchange(head), 400, "Bad Request");
        }
    }

    @Test
    void theHostOfAWholeUrlIsTheOneThatCounts() throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            String other = "GET http://target.test:81/else HTTP/1.1\r\nHost: other.test\r\n\r\n";
            assertThat(wire.exchange(other).body()).isEqualTo("app GET /else");
            String same = "GET http://target.test:81/else HTTP/1.1\r\nHost: Target.test:81\r\n\r\n";
            assertThat(wire.exchange(same).body()).isEqualTo("app GET /else");
            String reversed = "GET http://other.test/else HTTP/1.1\r\nHost: target.test:81\r\n\r\n";
            assertProblem(wire.exchange(reversed), 404, "Not Found");
        }
    }

    @Test
    void aHeadThatIsTooLargeIsAProblemToo() throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            assertProblem(
                    wire.exchange("GET /app HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(40_000) + "\r\n\r\n"),
                    431,
                    "Request Header Fields Too Large");
        }
    }

    @Test
    void anAnswerHasOneDateAndNamesNoSoftware() throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            Wire.Answer proxied = wire.get("/app");
            Wire.Answer own = wire.get("/other");

            for (Wire.Answer answer : new Wire.Answer[] {proxied, own}) {
                assertThat(answer.fields().get("date")).matches("[A-Z][a-z]{2}, [^,]+ GMT");
                assertThat(answer.fields()).doesNotContainKeys("server", "x-powered-by");
            }
        }
    }

    @Test
    void http2InTheClearIsSpokenOnTheSamePort() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.http().resolve("/app/h2"));
        // The first request asks for the upgrade, the second goes over the connection that has been upgraded.
        HttpResponse<String> first = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        HttpResponse<String> second = client.send(
                request.POST(HttpRequest.BodyPublishers.ofString("hello")).build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(first.body()).isEqualTo("app GET /app/h2");
        assertThat(second.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(second.body()).isEqualTo("app POST /app/h2");
    }

    @Test
    void aServiceWithoutAnyServerLeftIsAProblemOf503OrOf502() throws Exception {
        Backend gone = Backend.named("gone");
        gone.die();
        try (GatewayProcess lonely = GatewayProcess.start(
                        "--config", ConfigText.file(directory, ConfigText.service(gone)), "--port", "0");
                Wire wire = new Wire(lonely.http())) {
            Wire.Answer answer = wire.get("/");

            assertThat(answer.status()).isIn(502, 503);
            assertThat(answer.fields().get("content-type")).startsWith("application/problem+json");
            assertThat(answer.body()).contains("\"app\"").doesNotContain(gone.id());
        }
    }

    private static void assertProblem(Wire.Answer answer, int status, String title) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.fields().get("content-type")).startsWith("application/problem+json");
        assertThat(answer.body()).contains("\"status\":" + status).contains("\"title\":\"" + title + "\"");
        assertThat(answer.fields().get("date")).isNotNull();
    }
}
