package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients that speak HTTP/1.0. */
final class Http10Test extends ContainerTest {
    @Test
    void anExpectationMeansNothing() throws Exception {
        RawBackend backend = backend(answer(200, "thanks"));
        proxyTo(backend.url());

        RawClient client = client();
        client.write("POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
        client.write("hello");

        RawMessage request = backend.request();
        assertThat(request.body()).isEqualTo("hello");
        assertThat(request.values("Expect")).isEmpty();
        // Jetty asks by itself when the body is read, whatever the version.
        RawMessage answer = client.readHead();
        assertThat(answer.status() == 100 ? client.readHead().status() : answer.status())
                .isEqualTo(200);
    }

    @Test
    void chunksAreRefusedAndNothingBehindThemIsARequest() throws Exception {
        RawBackend backend = backend(answer(200, "seen"));
        proxyTo(backend.url());

        RawClient client = client();
        client.write("POST /first HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n");
        client.write("0\r\n\r\nGET /SMUGGLED HTTP/1.1\r\nHost: a\r\n\r\n");

        RawMessage answer = client.readHead();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.value("Connection")).isEqualToIgnoringCase("close");
        answer.readBody(client.in(), true);
        assertThat(client.in().read()).isEqualTo(-1);
        assertThat(backend.connections()).isZero();
    }

    /** Its only end is that of the connection, which may not look like a regular one (RFC 9112, 8). */
    @Test
    void anAnswerThatBreaksOffEndsInAReset() throws Exception {
        CompletableFuture<Void> read = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Transfer-Encoding: chunked") + "\r\n5\r\nhello\r\n");
            read.get(10, TimeUnit.SECONDS);
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.write("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
        RawMessage answer = client.readHead();
        assertThat(answer.values("Content-Length")).isEmpty();
        assertThat(client.in().readNBytes(5)).asString().isEqualTo("hello");
        read.complete(null);

        assertThatThrownBy(() -> client.in().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        awaitNothingInFlight();
    }
}
