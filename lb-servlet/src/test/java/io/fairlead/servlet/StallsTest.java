package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers that come to a standstill, and answers that cannot be carried to their end. */
final class StallsTest extends ContainerTest {
    private static final Map<String, String> SHORT_IDLE = Map.of("answerIdleSeconds", "1");

    private final CompletableFuture<Void> over = new CompletableFuture<>();

    @Test
    void aServerThatDoesNotTakeTheBodyIs504() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            over.get(30, TimeUnit.SECONDS);
        });
        proxy("""
                http:
                  serversTransports:
                    quick: {forwardingTimeouts: {responseHeaderTimeout: 500ms}}
                  services:
                    orders:
                      loadBalancer:
                        serversTransport: quick
                        servers: [{url: "%s"}]
                """.formatted(backend.url()));

        RawClient client = client();
        client.socket().setSoTimeout(10_000);
        // More than the buffers of all sockets on the way take.
        client.send("POST", "/", "Content-Length: 100000000");
        Thread upload = new Thread(() -> upload(client));
        upload.setDaemon(true);
        upload.start();

        assertThat(client.readHead().status()).isEqualTo(504);
        awaitNothingInFlight();
        over.complete(null);
    }

    private static void upload(RawClient client) {
        try {
            byte[] block = new byte[1 << 16];
            for (int i = 0; i < 100_000_000; i += block.length) {
                client.out().write(block, 0, Math.min(block.length, 100_000_000 - i));
            }
        } catch (IOException e) {
            // The proxy does not want it any more.
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "text/event-stream"})
    void anAnswerThatStandsStillIsBrokenOff(String type) throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Content-Type: " + type, "Transfer-Encoding: chunked") + "\r\n5\r\nhello\r\n");
            over.get(30, TimeUnit.SECONDS);
        });
        proxy(service("orders", "", backend.url()), SHORT_IDLE, "");

        RawClient client = client();
        client.socket().setSoTimeout(10_000);
        client.send("GET", "/");

        assertThat(client.readHead().status()).isEqualTo(200);
        assertThat(rest(client)).startsWith("5\r\nhello").doesNotContain("0\r\n\r\n");
        awaitNothingInFlight();
        over.complete(null);
    }

    @Test
    void aClientThatLeavesAQuietAnswerIsForgottenInTime() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Transfer-Encoding: chunked") + "\r\n5\r\nhello\r\n");
            over.get(30, TimeUnit.SECONDS);
        });
        proxy(service("orders", "", backend.url()), SHORT_IDLE, "");

        RawClient client = client();
        client.send("GET", "/");
        client.readHead();
        assertThat(inFlight()).isEqualTo(1);
        client.close();

        awaitNothingInFlight();
        over.complete(null);
    }

    @Test
    void anAnswerThatMovesNowAndThenIsCarriedToItsEnd() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Content-Length: 6\r\n\r\n");
            for (int i = 0; i < 6; i++) {
                long start = System.nanoTime();
                Awaitility.await()
                        .until(() -> System.nanoTime() - start
                                > Duration.ofMillis(300).toNanos());
                peer.write("x");
            }
        });
        proxy(service("orders", "", backend.url()), SHORT_IDLE, "");

        assertThat(client().get("/").body()).isEqualTo("xxxxxx");
    }

    @Test
    void anAnswerIsNotEndedAsIfItWereWholeWhenTheUploadBreaks() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(head(200, "Transfer-Encoding: chunked") + "\r\n5\r\nhello\r\n");
            over.get(30, TimeUnit.SECONDS);
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.socket().setSoTimeout(10_000);
        client.send("POST", "/", "Transfer-Encoding: chunked");
        client.write("5\r\nhello\r\n");
        assertThat(client.readHead().status()).isEqualTo(200);
        assertThat(new String(client.in().readNBytes(8), StandardCharsets.ISO_8859_1))
                .isEqualTo("5\r\nhello");
        client.write("nonsense\r\n");

        assertThat(rest(client)).doesNotContain("0\r\n\r\n");
        awaitNothingInFlight();
        over.complete(null);
    }

    /** What comes until the connection ends, however it does. */
    private static String rest(RawClient client) throws IOException {
        StringBuilder rest = new StringBuilder();
        try {
            for (int b = client.in().read(); b >= 0; b = client.in().read()) {
                rest.append((char) b);
            }
        } catch (java.net.SocketException e) {
            // A reset is an end as well.
        }
        return rest.toString();
    }
}
