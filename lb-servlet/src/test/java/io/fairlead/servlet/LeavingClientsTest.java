package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that leave while nothing is written to them, where no container tells of it. */
final class LeavingClientsTest extends ContainerTest {
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** Says nothing, or only the beginning of an answer, until its connection ends or the test lets it go on. */
    private RawBackend backend;

    @BeforeEach
    void begin() throws Exception {
        backend = backend(peer -> {
            RawMessage request = peer.readHead();
            request.readBody(peer.in(), false);
            arrived.incrementAndGet();
            if (request.target().equals("/begun")) {
                peer.write(head(200, "Content-Type: text/event-stream") + "\r\ndata: 1\n\n");
            }
            if (request.target().equals("/patient")) {
                goOn.await();
                peer.write(answer(200, "late"));
            }
            if (peer.in().read() < 0) {
                ended.incrementAndGet();
            }
        });
        proxyTo(backend.url());
    }

    private RawClient sent(String method, String target) throws IOException {
        RawClient client = client();
        int before = arrived.get();
        client.send(method, target, method.equals("POST") ? "Content-Length: 5" : "X: y");
        if (method.equals("POST")) {
            client.write("hello");
        }
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> arrived.get() > before);
        return client;
    }

    private void awaitCancelled() {
        awaitNothingInFlight();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(ended).hasValue(1));
        EndpointSnapshot server =
                balancers().all().iterator().next().snapshot().endpoints().get(0);
        assertThat(server.failures()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void theRequestOfAClientThatLeavesBeforeTheAnswerIsCancelled(String method) throws Exception {
        RawClient client = sent(method, "/");
        assertThat(inFlight()).isEqualTo(1);

        client.close();

        awaitCancelled();
    }

    @Test
    void theRequestOfAClientThatResetsItsConnectionIsCancelled() throws Exception {
        RawClient client = sent("GET", "/");

        client.socket().setSoLinger(true, 0);
        client.close();

        awaitCancelled();
    }

    @Test
    void anEventStreamInWhichNothingHappensEndsWithItsClient() throws Exception {
        RawClient client = sent("GET", "/begun");
        assertThat(client.readHead().status()).isEqualTo(200);

        client.close();

        awaitCancelled();
    }

    @Test
    void aClientThatClosesItsHalfOfTheConnectionIsToldThatItIsTakenForGone() throws Exception {
        RawClient client = sent("GET", "/");

        client.socket().shutdownOutput();

        assertThat(client.read("GET").status()).isEqualTo(499);
        awaitCancelled();
    }

    @Test
    void aClientThatStaysIsAnsweredHoweverLongItTakesAndMaySendItsNextRequestBefore() throws Exception {
        RawClient patient = sent("GET", "/patient");
        RawClient hasty = sent("GET", "/patient");
        hasty.send("GET", "/patient");

        // Until the watch has looked at them: it sees another one leave.
        sent("GET", "/").close();
        awaitCancelledOne();
        goOn.countDown();

        assertThat(patient.read("GET").body()).isEqualTo("late");
        assertThat(hasty.read("GET").body()).isEqualTo("late");
        assertThat(hasty.read("GET").body()).isEqualTo("late");
    }

    private void awaitCancelledOne() {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(inFlight()).isEqualTo(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 11})
    void aStreamWhoseBodyDoesNotFitItsLengthEndsTheRequest(int bytes) throws Exception {
        AtomicInteger heads = new AtomicInteger();
        RawBackend reading = backend(peer -> {
            peer.readHead();
            heads.incrementAndGet();
            while (peer.in().read() >= 0) {
                // The rest of the body, if it comes.
            }
            ended.incrementAndGet();
        });
        proxyTo(reading.url());
        Http2Call call = closing(Http2Call.post(port(), "/", HttpFields.build().put("Content-Length", "10")));
        call.send(1);
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> heads.get() == 1);

        call.send(bytes - 1);
        call.end();

        awaitCancelled();
    }

    @Test
    void theSameBeforeAServerIsChosen() throws Exception {
        RawBackend quick = backend(answer(200, "quick"));
        CountDownLatch posted = new CountDownLatch(1);
        proxy(
                through(
                        quick.url(),
                        "one: {inFlightReq: {amount: 1, sourceCriterion: {ipStrategy: {}}}}",
                        "b: {buffering: {memRequestBodyBytes: 20}}"),
                request -> {
                    if (request.facts().method().equals("POST")) {
                        posted.countDown();
                    }
                });
        Http2Call call = closing(Http2Call.post(port(), "/", HttpFields.build().put("Content-Length", "10")));
        call.send(1);
        // Else a GET might be the one that is in flight, and the POST be refused.
        assertThat(posted.await(10, TimeUnit.SECONDS)).isTrue();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> client().get("/").status() == 429);

        call.send(2);
        call.end();

        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> client().get("/").status() == 200);
    }
}
