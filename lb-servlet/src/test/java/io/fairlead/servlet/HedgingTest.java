package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.observe.EndpointSnapshot;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Copies of slow requests. */
final class HedgingTest extends ContainerTest {
    private final AtomicBoolean slow = new AtomicBoolean();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** Answers at once, until it is to be slow: then it waits for the test's end, or for the proxy to hang up. */
    private RawBackend sometimesSlow(String text) throws Exception {
        return backend(peer -> {
            while (peer.readRequest()) {
                if (slow.get()) {
                    if (peer.in().read() < 0) {
                        return;
                    }
                    over.get(30, TimeUnit.SECONDS);
                }
                peer.write(answer(200, text));
            }
        });
    }

    private void start(RawBackend... backends) throws Exception {
        String[] urls = new String[backends.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = backends[i].url();
        }
        proxy(service("orders", "strategy: round-robin\nhedge: {minDelay: 100ms, budgetPercent: 100}", urls));
        try (RawClient client = client()) {
            // Half of what has been learnt is forgotten every 10 s, on a slow machine meanwhile.
            for (int i = 0; i < 60; i++) {
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
        slow.set(true);
    }

    @Test
    void aSlowRequestIsAnsweredByACopyAndTheLoserIsGivenUp() throws Exception {
        RawBackend one = sometimesSlow("slow");
        start(one, backend(answer(200, "quick")));
        int before = one.pendingRequests();

        try (RawClient client = client()) {
            for (int i = 0; i < 6; i++) {
                assertThat(client.get("/" + i).body()).isEqualTo("quick");
            }
        }

        assertThat(one.pendingRequests()).isGreaterThan(before);
        awaitNothingInFlight();
        Awaitility.await().until(() -> one.openConnections() <= 1);
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(0L, 0L);
    }

    @Test
    void whatHasABodyIsNotCopied() throws Exception {
        RawBackend one = sometimesSlow("slow");
        RawBackend two = sometimesSlow("slow");
        start(one, two);
        int before = one.pendingRequests() + two.pendingRequests();

        RawClient put = client();
        put.send("PUT", "/", "Content-Length: 1");
        put.write("x");
        Awaitility.await().until(() -> inFlight() == 1);
        RawClient get = client();
        get.send("GET", "/");
        // By the time the copy of the GET is there, that of the PUT would be, too.
        Awaitility.await().until(() -> one.pendingRequests() + two.pendingRequests() == before + 3);
        assertThat(inFlight()).isEqualTo(3);
        one.close();
        two.close();
        awaitNothingInFlight();
    }

    @Test
    void whereAllCopiesFailTheRequestGoesOn() throws Exception {
        RawBackend.Script breaking = peer -> {
            while (peer.readRequest()) {
                if (slow.get()) {
                    // Long enough for a copy.
                    peer.socket().setSoTimeout(400);
                    try {
                        peer.in().read();
                    } catch (java.net.SocketTimeoutException e) {
                        return;
                    }
                    return;
                }
                peer.write(answer(200, "x"));
            }
        };
        RawBackend third = backend(answer(200, "third"));
        start(backend(breaking), backend(breaking), third);

        for (int i = 0; i < 3; i++) {
            assertThat(client().get("/").body()).isEqualTo("third");
        }
        awaitNothingInFlight();
    }

    @Test
    void whereAllServersHangUpTheAnswerIs502() throws Exception {
        RawBackend one = sometimesSlow("slow");
        RawBackend two = sometimesSlow("slow");
        start(one, two);
        int before = one.pendingRequests() + two.pendingRequests();

        RawClient client = client();
        client.send("GET", "/");
        // Both have read it: a connection that is just being taken would not be closed with the others.
        Awaitility.await().until(() -> one.pendingRequests() + two.pendingRequests() == before + 2);
        // Both servers hang up: no server is left, and the client is told so.
        one.close();
        two.close();

        assertThat(client.readHead().status()).isEqualTo(502);
        awaitNothingInFlight();
    }

    private List<EndpointSnapshot> endpoints() {
        return balancers().all().iterator().next().snapshot().endpoints();
    }
}
