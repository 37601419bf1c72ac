package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** {@code buffering}. */
final class BufferingTest extends ContainerTest {
    private static String chunked(String... chunks) {
        StringBuilder body = new StringBuilder();
        for (String chunk : chunks) {
            body.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return body.append("0\r\n\r\n").toString();
    }

    private static RawMessage post(RawClient client, String body) throws Exception {
        return client.exchange("POST", "/", body, "Transfer-Encoding: chunked");
    }

    @Test
    void aRequestThatIsTooLongNeverReachesAServer() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxy(through(backend.url(), "b: {buffering: {maxRequestBodyBytes: 100}}"));

        RawMessage announced = client().exchange("POST", "/", "x".repeat(101), "Content-Length: 101");
        RawMessage counted = post(client(), chunked("x".repeat(60), "x".repeat(41)));

        assertThat(announced.status()).isEqualTo(413);
        assertThat(counted.status()).isEqualTo(413);
        assertThat(counted.value("Content-Type")).isEqualTo("application/problem+json");
        assertThat(backend.connections()).isZero();
        assertThat(post(client(), chunked("x".repeat(60), "x".repeat(40))).status())
                .isEqualTo(200);
        assertThat(backend.request().body()).hasSize(100);
        awaitNothingInFlight();
    }

    @Test
    void noServerIsAskedBeforeTheBodyIsThere() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxy(through(backend.url(), "b: {buffering: {memRequestBodyBytes: 20}}"));

        RawClient client = client();
        client.send("POST", "/", "Transfer-Encoding: chunked");
        client.write("8\r\n12345678\r\n");
        Awaitility.await()
                .during(Duration.ofMillis(80))
                .atMost(Duration.ofSeconds(5))
                .until(() -> inFlight() == 0 && backend.connections() == 0);
        // Longer than what is kept: from here on it streams.
        client.write("18\r\nabcdefghijklmnopqrstuvwx\r\n");
        Awaitility.await().until(() -> backend.connections() == 1);
        client.write("0\r\n\r\n");

        assertThat(client.read("POST").status()).isEqualTo(200);
        assertThat(backend.request().body()).isEqualTo("12345678abcdefghijklmnopqrstuvwx");
        assertThat(client.exchange("POST", "/", "abc", "Content-Length: 3").status())
                .isEqualTo(200);
        assertThat(backend.request().body()).isEqualTo("abc");
        assertThat(client.get("/").status()).isEqualTo(200);
    }

    @Test
    void aClientThatLeavesBeforeItsBodyIsThereCostsNothing() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        AtomicInteger ends = new AtomicInteger();
        proxy(through(backend.url(), "b: {buffering: {}}"), request -> request.onEnd(ends::incrementAndGet));

        try (RawClient client = new RawClient(port())) {
            client.send("POST", "/", "Content-Length: 10");
            client.write("123");
        }

        Awaitility.await().until(() -> ends.get() == 1);
        assertThat(backend.connections()).isZero();
    }

    @Test
    void anAnswerThatIsTooLongIsA500() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                if (peer.last().target().equals("/length")) {
                    peer.write(answer(200, "x".repeat(101)));
                } else {
                    peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n"
                            + chunked(
                                    "x".repeat(60),
                                    "x".repeat(peer.last().target().equals("/fits") ? 40 : 41)));
                }
            }
        });
        proxy(through(backend.url(), "b: {buffering: {maxResponseBodyBytes: 100}}"));

        for (String target : new String[] {"/length", "/chunked"}) {
            RawMessage answer = client().get(target);
            assertThat(answer.status()).as(target).isEqualTo(500);
            assertThat(answer.value("Content-Type")).isEqualTo("application/problem+json");
        }
        assertThat(client().get("/fits").body()).isEqualTo("x".repeat(100));
        awaitNothingInFlight();
    }

    @Test
    void nothingIsAnsweredBeforeTheBodyIsThereUnlessItIsDisabled() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
                // The rest comes only on a second request, which breaks the first one off where it did not wait.
                Awaitility.await()
                        .until(() -> peer.in().available() > 0 || peer.socket().isClosed());
            }
        });
        proxy(through(backend.url(), "b: {buffering: {disableResponseBuffer: true, disableRequestBuffer: true}}"));

        RawClient client = client();
        client.send("GET", "/");

        assertThat(client.readHead().status()).isEqualTo(200);
    }

    @Test
    void anAnswerThatBreaksOffWhileItIsHeldBackIsA502() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Content-Length: 10\r\n\r\nabc");
        });
        proxy(through(backend.url(), "b: {buffering: {}}"));

        assertThat(client().get("/").status()).isEqualTo(502);
    }

    @Test
    void theExpressionSaysWhatIsSentAgain() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                int number = requests.incrementAndGet();
                if (number % 3 == 1) {
                    return;
                }
                peer.write(answer(number % 3 == 2 ? 503 : 200, "x" + number));
            }
        });
        proxy(
                through(
                        backend.url(),
                        "b: {buffering: {retryExpression: \"(IsNetworkError() || ResponseCode() == 503) && Attempts() < 3\"}}"));

        RawMessage answer = client().exchange("PUT", "/", "abc", "Content-Length: 3");

        assertThat(answer.body()).isEqualTo("x3");
        for (int i = 0; i < 3; i++) {
            assertThat(backend.request().body()).isEqualTo("abc");
        }
    }
}
