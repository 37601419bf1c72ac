package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servers that answer before they have read the request. */
final class EarlyAnswersTest extends ContainerTest {
    private static final int CLIENTS = 8;
    private static final int REQUESTS = 100;
    private static final String BODY = "y".repeat(200_000);

    @Test
    void theAnswerOfAServerThatRefusesABodyAndClosesComesThrough() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(answer(413, "large", "Connection: close"));
        });
        proxyTo(backend.url());

        ExecutorService executor = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(executor.submit(this::post));
            }
            int answered = 0;
            for (Future<Integer> client : clients) {
                answered += client.get(120, TimeUnit.SECONDS);
            }
            // The system may cut off a client that still sends.
            assertThat(answered).isGreaterThan(CLIENTS * REQUESTS * 9 / 10);
        } finally {
            executor.shutdownNow();
        }
        awaitNothingInFlight();
    }

    /** How many answers of the server came through. */
    private int post() throws IOException {
        int answered = 0;
        for (int i = 0; i < REQUESTS; i++) {
            try (RawClient client = new RawClient(port())) {
                client.socket().setSoTimeout(10_000);
                try {
                    client.send("POST", "/", "Content-Length: " + BODY.length());
                    client.write(BODY);
                } catch (IOException e) {
                    // The answer may be there all the same.
                }
                RawMessage answer = client.read("POST");
                // It can be read although what was sent meanwhile was refused.
                assertThat(answer.status()).isEqualTo(413);
                answered++;
            } catch (SocketTimeoutException e) {
                throw new AssertionError("the client is left waiting", e);
            } catch (IOException e) {
                // Closed in the middle of the upload.
            }
        }
        return answered;
    }
}
