package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests whose servers take their time. */
@Tag("thorough")
final class AwaitedServersTest extends ContainerTest {
    /** Containers have 200 threads, and the proxy 64. */
    private static final int MORE_THAN_THREADS = 300;

    @Test
    void aRequestHoldsNoThreadWhileItsServerIsAwaited() throws Exception {
        CountDownLatch allThere = new CountDownLatch(MORE_THAN_THREADS);
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                allThere.countDown();
                if (!allThere.await(15, TimeUnit.SECONDS)) {
                    return;
                }
                peer.write(answer(200, peer.last().body()));
            }
        });
        proxyTo(backend.url());

        RawClient[] clients = new RawClient[MORE_THAN_THREADS];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = client();
            // Half of them with a body, which is read by other ways.
            String body = i % 2 == 0 ? "" : "abc";
            clients[i].send(i % 2 == 0 ? "GET" : "POST", "/", "Content-Length: " + body.length());
            clients[i].write(body);
        }

        for (int i = 0; i < clients.length; i++) {
            RawMessage answer = clients[i].read("GET");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(i % 2 == 0 ? "" : "abc");
        }
        awaitNothingInFlight();
    }
}
