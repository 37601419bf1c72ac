package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.observe.EndpointSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a request goes to another server, and when it must not. */
final class RetriesTest extends ContainerTest {
    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PATCH", "PUT"})
    void aRefusedConnectionMovesOnWhateverTheMethod(String method) throws Exception {
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "strategy: priority", "http://127.0.0.1:" + RawBackend.refusedPort(), good.url()));

        RawMessage answer = client().exchange(method, "/", "hello", "Content-Length: 5");

        assertThat(answer.body()).isEqualTo("good");
        assertThat(good.request().body()).isEqualTo("hello");
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(1L, 0L);
    }

    @Test
    void aLongBodyMovesOnAsLongAsNoneOfItWasSent() throws Exception {
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "strategy: priority", "http://127.0.0.1:" + RawBackend.refusedPort(), good.url()));
        String body = "0123456789".repeat(50_000);

        RawMessage answer = client().exchange("POST", "/", body, "Content-Length: " + body.length());

        assertThat(answer.body()).isEqualTo("good");
        assertThat(good.request().body()).isEqualTo(body);
    }

    @Test
    void noMoreThanThreeServersAreTried() throws Exception {
        proxy(service(
                "orders",
                "strategy: priority",
                "http://127.0.0.1:" + RawBackend.refusedPort(),
                "http://127.0.0.1:" + RawBackend.refusedPort(),
                "http://127.0.0.1:" + RawBackend.refusedPort(),
                backend(answer(200, "too far")).url()));

        assertThat(client().get("/").status()).isEqualTo(502);
        // Those that failed are passed over now.
        assertThat(client().get("/").body()).isEqualTo("too far");
    }

    @ParameterizedTest
    @CsvSource({"GET,200", "HEAD,200", "OPTIONS,200", "DELETE,200", "POST,502", "PATCH,502"})
    void aConnectionThatBreaksBeforeTheAnswerMovesOnForIdempotentMethods(String method, int status) throws Exception {
        RawBackend bad = backend(RawBackend.Peer::readRequest);
        RawBackend good = backend(answer(200, ""));
        proxy(service("orders", "strategy: priority", bad.url(), good.url()));

        assertThat(client().exchange(method, "/", "").status()).isEqualTo(status);

        assertThat(bad.connections()).isEqualTo(1);
        assertThat(good.pendingRequests()).isEqualTo(status == 200 ? 1 : 0);
        awaitNothingInFlight();
    }

    @Test
    void aShortBodyOfAPutIsSentAgain() throws Exception {
        RawBackend bad = backend(RawBackend.Peer::readRequest);
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "strategy: priority", bad.url(), good.url()));

        RawMessage answer = client().exchange("PUT", "/", "hello", "Content-Length: 5");

        assertThat(answer.body()).isEqualTo("good");
        assertThat(bad.request().body()).isEqualTo("hello");
        assertThat(good.request().body()).isEqualTo("hello");
    }

    @Test
    void aLongBodyOfAPutIsNotSentAgain() throws Exception {
        RawBackend bad = backend(RawBackend.Peer::readRequest);
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "strategy: priority", bad.url(), good.url()));
        String body = "0123456789".repeat(50_000);

        RawMessage answer = client().exchange("PUT", "/", body, "Content-Length: " + body.length());

        assertThat(answer.status()).isEqualTo(502);
        assertThat(good.pendingRequests()).isZero();
    }

    @Test
    void anAnswerOf503IsAnAnswerAndIsNotTriedElsewhere() throws Exception {
        RawBackend bad = backend(answer(503, "overloaded"));
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "strategy: priority", bad.url(), good.url()));

        assertThat(client().get("/").body()).isEqualTo("overloaded");

        assertThat(good.connections()).isZero();
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(1L, 0L);
    }

    @Test
    void anAnswerThatBrokeOffIsNotSentForAgain() throws Exception {
        CompletableFuture<Void> seen = new CompletableFuture<>();
        RawBackend bad = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Content-Length: 10\r\n\r\nhalf");
            seen.get(10, TimeUnit.SECONDS);
        });
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "strategy: priority", bad.url(), good.url()));

        RawClient client = client();
        client.send("GET", "/");
        client.readHead();
        seen.complete(null);
        awaitNothingInFlight();

        assertThat(good.connections()).isZero();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(1L, 0L);
    }

    /**
     * Awaits that each answer has closed a connection: of a close that crosses the request nobody can say what the server
     * has done. One more may be open that has had no request yet.
     */
    private static void awaitClosed(RawBackend backend, int answers) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> backend.connections() - backend.openConnections() >= answers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void aPooledConnectionThatTheServerClosedIsNobodysFault(String method) throws Exception {
        // Closes each connection after one answer without having said so; the next request may meet the corpse.
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(answer(200, "x"));
        });
        proxyTo(backend.url());

        try (RawClient client = client()) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.exchange(method, "/", "y", "Content-Length: 1")
                                .status())
                        .isEqualTo(200);
                awaitClosed(backend, i + 1);
            }
        }

        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(0L);
    }

    @ParameterizedTest
    @CsvSource({"GET,200", "PUT,200", "POST,502"})
    void aPooledConnectionThatIsClosedUnansweredHasBroken(String method, int status) throws Exception {
        // Reads the second request: that it was not handled is no more certain than on a new connection.
        RawBackend bad = backend(peer -> {
            peer.readRequest();
            peer.write(answer(200, "x"));
            peer.readRequest();
        });
        RawBackend good = backend(answer(200, "good"));
        proxy("""
                http:
                  services:
                    orders:
                      loadBalancer:
                        strategy: priority
                        servers: [{url: "%s", weight: 2}, {url: "%s", weight: 1}]
                """.formatted(bad.url(), good.url()));

        try (RawClient client = client()) {
            assertThat(client.get("/1").body()).isEqualTo("x");
            assertThat(client.exchange(method, "/2", "y", "Content-Length: 1").status())
                    .isEqualTo(status);
        }

        assertThat(bad.connections()).isEqualTo(1);
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(1L, 0L);
    }

    @Test
    void aPooledTlsConnectionThatTheServerClosedIsNobodysFault() throws Exception {
        RawBackend backend = closing(RawBackend.running(TestTls.serverSocket(), peer -> {
            peer.readRequest();
            peer.write(answer(200, "x"));
        }));
        proxy(UpstreamHttp2Test.over("https://127.0.0.1:" + backend.port(), ""));

        try (RawClient client = client()) {
            for (int i = 0; i < 30; i++) {
                assertThat(client.exchange("POST", "/", "y", "Content-Length: 1")
                                .status())
                        .isEqualTo(200);
                awaitClosed(backend, i + 1);
            }
        }
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(0L);
    }

    @Test
    void aServerThatIsDownIsPassedOverByTheNextRequests() throws Exception {
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "", "http://127.0.0.1:" + RawBackend.refusedPort(), good.url()));

        for (int i = 0; i < 10; i++) {
            assertThat(client().get("/").body()).isEqualTo("good");
        }

        assertThat(endpoints().get(0).picks()).isLessThanOrEqualTo(2);
    }

    private List<EndpointSnapshot> endpoints() {
        return balancers().all().iterator().next().snapshot().endpoints();
    }
}
