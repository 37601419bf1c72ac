package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that find the servers at their limits. */
final class LimitsTest extends ContainerTest {
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        mayAnswer.countDown();
    }

    @Test
    void withoutALineTheAnswerIs503AtOnce() throws Exception {
        RawBackend backend = slow();
        proxy(service("orders", "limits: {maxInFlightPerServer: 1}", backend.url()));
        RawClient first = begin(backend);

        RawMessage refused = client().get("/two");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.value("Retry-After")).isEqualTo("1");
        assertThat(refused.value("Content-Type")).startsWith("application/problem+json");
        mayAnswer.countDown();
        assertThat(first.read("GET").status()).isEqualTo(200);
        awaitNothingInFlight();
        assertThat(client().get("/three").status()).isEqualTo(200);
    }

    @Test
    void aRequestWaitsForItsPlaceAndHoldsNoThread() throws Exception {
        RawBackend backend = slow();
        proxy(service("orders", "limits: {maxInFlight: 1, queue: 300, queueTimeout: 20s}", backend.url()));
        RawClient first = begin(backend);
        // More than the container has threads.
        RawClient[] waiting = new RawClient[300];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = client();
            waiting[i].send("GET", "/" + i);
        }
        awaitWaiting(waiting.length);
        assertThat(inFlight()).isEqualTo(1);
        assertThat(client().get("/one-too-many").status()).isEqualTo(503);

        mayAnswer.countDown();
        assertThat(first.read("GET").status()).isEqualTo(200);
        for (RawClient each : waiting) {
            assertThat(each.read("GET").status()).isEqualTo(200);
        }
        awaitNothingInFlight();
    }

    @Test
    void aBodyWaitsWithItsRequest() throws Exception {
        RawBackend backend = slow();
        proxy(service("orders", "limits: {maxInFlight: 1, queue: 1, queueTimeout: 20s}", backend.url()));
        RawClient first = begin(backend);
        RawClient second = client();
        second.send("POST", "/upload", "Content-Length: 5");
        second.write("hello");
        awaitWaiting(1);

        mayAnswer.countDown();
        assertThat(first.read("GET").status()).isEqualTo(200);
        assertThat(second.read("POST").status()).isEqualTo(200);
        assertThat(backend.request().body()).isEqualTo("hello");
    }

    @Test
    void whoFindsTheLineFullIsAnswered503AtOnce() throws Exception {
        RawBackend backend = slow();
        proxy(service("orders", "limits: {maxInFlight: 1, queue: 1, queueTimeout: 20s}", backend.url()));
        RawClient first = begin(backend);
        RawClient second = client();
        second.send("GET", "/two");
        awaitWaiting(1);

        assertThat(client().get("/three").status()).isEqualTo(503);
        assertThat(client().exchange("POST", "/three", "hello", "Content-Length: 5")
                        .status())
                .isEqualTo(503);
        mayAnswer.countDown();
        assertThat(first.read("GET").status()).isEqualTo(200);
        assertThat(second.read("GET").status()).isEqualTo(200);
        awaitNothingInFlight();
    }

    @Test
    void whoWaitsTooLongIsAnswered503() throws Exception {
        RawBackend backend = slow();
        proxy(service("orders", "limits: {maxInFlight: 1, queue: 1, queueTimeout: 200ms}", backend.url()));
        RawClient first = begin(backend);

        RawMessage refused = client().get("/two");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.value("Retry-After")).isEqualTo("1");
        assertThat(balancers().get("orders").waitingLine().size()).isZero();
        mayAnswer.countDown();
        assertThat(first.read("GET").status()).isEqualTo(200);
        awaitNothingInFlight();
    }

    @Test
    void theTurnOfAClientThatHasGoneIsNobodysLoss() throws Exception {
        RawBackend backend = slow();
        proxy(service("orders", "limits: {maxInFlight: 1, queue: 9, queueTimeout: 20s}", backend.url()));
        RawClient first = begin(backend);
        RawClient gone = client();
        gone.send("GET", "/gone");
        awaitWaiting(1);
        gone.close();
        RawClient last = client();
        last.send("GET", "/last");
        mayAnswer.countDown();

        assertThat(first.read("GET").status()).isEqualTo(200);
        assertThat(last.read("GET").status()).isEqualTo(200);
        awaitNothingInFlight();
    }

    private RawBackend slow() throws Exception {
        return backend(peer -> {
            while (peer.readRequest()) {
                mayAnswer.await();
                peer.write(answer(200, "done"));
            }
        });
    }

    /** A request that has reached the server. */
    private RawClient begin(RawBackend backend) throws Exception {
        RawClient first = client();
        first.send("GET", "/one");
        assertThat(backend.request().target()).isEqualTo("/one");
        return first;
    }

    private void awaitWaiting(int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> balancers().get("orders").waitingLine().size() == count);
    }
}
