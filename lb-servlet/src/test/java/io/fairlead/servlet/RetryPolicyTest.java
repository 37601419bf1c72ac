package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.servlet.containers.Container;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a service's own rules of retrying change. */
final class RetryPolicyTest extends ContainerTest {
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    private void proxyTo(String retry, RawBackend... backends) throws Exception {
        String[] urls = new String[backends.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = backends[i].url();
        }
        proxy(service("orders", "strategy: priority\nretry: " + retry, urls));
    }

    private RawBackend silent() throws Exception {
        return backend(peer -> {
            peer.readRequest();
            // Until the proxy hangs up.
            peer.in().read();
        });
    }

    @Test
    void anAnswerOfAStatusThatIsTriedAgainIsReadOffAndItsConnectionUsedAgain() throws Exception {
        RawBackend bad = backend(answer(503, "overloaded"));
        RawBackend good = backend(answer(200, "good"));
        proxyTo("{statuses: [503]}", bad, good);

        try (RawClient client = client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/").body()).isEqualTo("good");
            }
        }

        assertThat(bad.pendingRequests()).isEqualTo(5);
        // One more may be opened in advance.
        assertThat(bad.connections()).isLessThanOrEqualTo(2);
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(5L, 0L);
    }

    @ParameterizedTest
    @CsvSource({"true,false", "true,true", "false,false", "false,true"})
    void aStrategyThatFailsAtARetryIsTheEndOfTheRequest(boolean answers, boolean waits) throws Exception {
        RawBackend bad = answers ? backend(answer(503, "bad")) : backend(RawBackend.Peer::readRequest);
        String more = """
                strategy: %s
                retry: {statuses: [503]%s}
                """.formatted(
                FailingStrategy.class.getName(), waits ? ", backoff: {initial: 20ms, max: 20ms, jitter: 0}" : "");
        proxy(service("orders", more, bad.url(), backend(answer(200, "good")).url()));

        assertThat(client().get("/").status()).isEqualTo(502);
        awaitNothingInFlight();
    }

    @Test
    void theLastAnswerIsPassedOnWhole() throws Exception {
        proxyTo(
                "{statuses: [503]}",
                backend(answer(503, "first")),
                backend(answer(503, "overloaded", "X-Server: two", "Retry-After: 7")));

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("overloaded");
        assertThat(answer.value("X-Server")).isEqualTo("two");
        assertThat(answer.value("Retry-After")).isEqualTo("7");
        awaitNothingInFlight();
    }

    @Test
    void aLongAnswerThatNobodyWantsIsGivenUp() throws Exception {
        RawBackend bad = backend(peer -> {
            peer.readRequest();
            peer.write(head(503) + "Content-Length: 100000000\r\n\r\n");
            byte[] block = new byte[1 << 16];
            for (int i = 0; i < 100_000_000; i += block.length) {
                peer.out().write(block);
            }
        });
        proxyTo("{statuses: [503]}", bad, backend(answer(200, "good")));

        assertThat(client().get("/").body()).isEqualTo("good");

        Awaitility.await().until(() -> bad.openConnections() == 0);
        awaitNothingInFlight();
    }

    @ParameterizedTest
    @CsvSource({"GET,200", "PUT,200", "POST,503", "PATCH,503"})
    void statusesAreTriedAgainForIdempotentMethods(String method, int status) throws Exception {
        proxyTo("{statuses: [503]}", backend(answer(503, "bad")), backend(answer(200, "good")));

        assertThat(client().exchange(method, "/", "y", "Content-Length: 1").status())
                .isEqualTo(status);
    }

    @Test
    void methodsOfThePolicyAreSentAgain() throws Exception {
        proxyTo("{methods: [POST]}", backend(RawBackend.Peer::readRequest), backend(answer(200, "good")));

        assertThat(client().exchange("POST", "/", "y", "Content-Length: 1").body())
                .isEqualTo("good");
    }

    @ParameterizedTest
    @CsvSource({
        "64KiB,65536,200",
        "64KiB,65537,502",
        "1MiB,1000000,200",
        "0,1,502",
        "10,10,200",
        "10,11,502",
    })
    void aBodyIsSentAgainUpToItsLimit(String limit, int length, int status) throws Exception {
        // The first reads all of it and hangs up.
        RawBackend bad = backend(RawBackend.Peer::readRequest);
        RawBackend good = backend(answer(200, "good"));
        proxyTo("{bufferBody: " + limit + "}", bad, good);
        String body = "0123456789".repeat(length / 10 + 1).substring(0, length);

        RawClient client = client();
        client.send("PUT", "/", "Content-Length: " + length);
        // In pieces, so that it is read in pieces.
        for (int at = 0; at < length; at += 7000) {
            client.write(body.substring(at, Math.min(length, at + 7000)));
        }

        assertThat(client.read("PUT").status()).isEqualTo(status);
        assertThat(bad.request().body()).isEqualTo(body);
        if (status == 200) {
            assertThat(good.request().body()).isEqualTo(body);
        }
        awaitNothingInFlight();
    }

    @Test
    void aChunkedBodyIsSentAgain() throws Exception {
        RawBackend bad = backend(RawBackend.Peer::readRequest);
        RawBackend good = backend(answer(200, "good"));
        proxyTo("{}", bad, good);

        RawClient client = client();
        client.send("PUT", "/", "Transfer-Encoding: chunked");
        client.write("4\r\nwiki\r\n");
        Awaitility.await().until(() -> bad.connections() > 0);
        client.write("5\r\npedia\r\n0\r\n\r\n");

        assertThat(client.read("PUT").body()).isEqualTo("good");
        assertThat(good.request().body()).isEqualTo("wikipedia");
    }

    @Test
    void aTryThatTakesTooLongGoesToTheNextServer() throws Exception {
        RawBackend silent = silent();
        proxyTo("{perTryTimeout: 800ms}", silent, backend(answer(200, "good")));

        assertThat(client().get("/").body()).isEqualTo("good");
        assertThat(client().exchange("PUT", "/", "y", "Content-Length: 1").body())
                .isEqualTo("good");

        Awaitility.await().until(() -> silent.openConnections() == 0);
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(2L, 0L);
    }

    @Test
    void aTryOfAPostThatTakesTooLongIs504() throws Exception {
        RawBackend good = backend(answer(200, "good"));
        proxyTo("{perTryTimeout: 200ms}", silent(), good);

        assertThat(client().exchange("POST", "/", "y", "Content-Length: 1").status())
                .isEqualTo(504);
        assertThat(good.connections()).isZero();
    }

    @Test
    void aSlowClientIsNotTheTrysFault() throws Exception {
        proxyTo("{perTryTimeout: 800ms}", backend(answer(200, "patient")));

        RawClient client = client();
        client.send("POST", "/", "Content-Length: 2");
        client.write("a");
        long start = System.nanoTime();
        Awaitility.await()
                .until(() -> System.nanoTime() - start > Duration.ofMillis(1200).toNanos());
        client.write("b");

        assertThat(client.read("POST").body()).isEqualTo("patient");
    }

    @Test
    void whenTheTimeOfAllTriesIsOverTheAnswerIs504() throws Exception {
        RawBackend third = silent();
        proxyTo("{perTryTimeout: 300ms, timeout: 450ms}", silent(), silent(), third);

        long start = System.nanoTime();
        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(504);
        assertThat(System.nanoTime() - start)
                .isBetween(
                        Duration.ofMillis(440).toNanos(), Duration.ofSeconds(5).toNanos());
        assertThat(third.connections()).isZero();
        awaitNothingInFlight();
    }

    @Test
    void aSingleServerIsAskedAgainAfterAWait() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        RawBackend recovering = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(answer(asked.incrementAndGet() < 3 ? 503 : 200, "x"));
            }
        });
        proxyTo("{statuses: [503], backoff: {initial: 100ms, max: 100ms, jitter: 0}}", recovering);

        long start = System.nanoTime();
        assertThat(client().get("/").status()).isEqualTo(200);

        assertThat(System.nanoTime() - start)
                .isGreaterThan(Duration.ofMillis(200).toNanos());
        assertThat(asked.get()).isEqualTo(3);
    }

    @Test
    void retryAfterIsWaitedForUpToItsMaximum() throws Exception {
        proxyTo(
                "{statuses: [503], maxRetryAfter: 300ms}",
                backend(answer(503, "bad", "Retry-After: 60")),
                backend(answer(200, "good")));

        long start = System.nanoTime();
        assertThat(client().get("/").body()).isEqualTo("good");

        assertThat(System.nanoTime() - start)
                .isBetween(
                        Duration.ofMillis(299).toNanos(), Duration.ofSeconds(10).toNanos());
    }

    @ParameterizedTest
    @CsvSource({"GET,200", "PUT,200", "POST,502"})
    void aPooledConnectionThatIsClosedUnansweredIsFollowedByAFreshOneWhereThereIsOneServer(String method, int status)
            throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(answer(200, "x"));
            peer.readRequest();
        });
        proxyTo("{}", backend);

        try (RawClient client = client()) {
            assertThat(client.get("/1").body()).isEqualTo("x");
            assertThat(client.exchange(method, "/2", "y", "Content-Length: 1").status())
                    .isEqualTo(status);
        }

        assertThat(backend.request().value("Connection")).isNull();
        assertThat(backend.request().value("Connection")).isNull();
        if (status == 200) {
            RawMessage again = backend.request();
            assertThat(again.target()).isEqualTo("/2");
            assertThat(again.body()).isEqualTo("y");
            assertThat(again.value("Connection")).isEqualTo("close");
        }
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(1L);
    }

    @Test
    void aBodyThatTheClientIsTooSlowWithIs408() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            over.get(30, TimeUnit.SECONDS);
        });
        proxy(service("orders", "", backend.url()), Map.of(Container.IDLE_MILLIS, "500"), "");

        RawClient client = client();
        client.send("POST", "/", "Content-Length: 10");
        client.write("hello");

        assertThat(client.readHead().status()).isEqualTo(408);
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(0L);
        over.complete(null);
    }

    private List<EndpointSnapshot> endpoints() {
        return balancers().all().iterator().next().snapshot().endpoints();
    }
}
