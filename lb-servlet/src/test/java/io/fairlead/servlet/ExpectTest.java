package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.servlet.containers.Container;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expect: 100-continue (RFC 9110, 10.1.1). Tomcat answers it before it hands the request over. */
final class ExpectTest extends ContainerTest {
    @Test
    void theClientIsAskedForItsBodyWhenTheServerAsksForIt() throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            RawMessage head = peer.readHead();
            asked.get(10, TimeUnit.SECONDS);
            peer.write("HTTP/1.1 100 Continue\r\n\r\n");
            head.readBody(peer.in(), false);
            peer.write(answer(200, head.body()));
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/", "Content-Length: 5", "Expect: 100-continue");
        assertThat(backend.request().value("Expect")).isEqualTo("100-continue");
        if (!Container.isTomcat()) {
            client.socket().setSoTimeout(100);
            assertThatThrownBy(() -> client.in().read()).isInstanceOf(SocketTimeoutException.class);
            client.socket().setSoTimeout(10_000);
        }
        asked.complete(null);
        assertThat(client.readHead().status()).isEqualTo(100);
        client.write("hello");

        assertThat(client.read("POST").body()).isEqualTo("hello");
        awaitNothingInFlight();
    }

    @ParameterizedTest
    @ValueSource(ints = {413, 417, 401})
    void anAnswerInsteadIsPassedOnAndTheBodyIsNotAskedFor(int status) throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(answer(status, "no"));
            // The body is not read; whoever sends none closes.
            peer.in().read();
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/", "Content-Length: 5", "Expect: 100-continue");
        RawMessage answer = client.readHead();
        if (Container.isTomcat()) {
            assertThat(answer.status()).isEqualTo(100);
            answer = client.readHead();
        }
        answer.readBody(client.in(), false);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo("no");
        awaitNothingInFlight();
    }

    @Test
    void aServerThatSaysNothingToItIsSentTheBodyAfterAWhile() throws Exception {
        RawBackend backend = backend(answer(200, "thanks"));
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/", "Content-Length: 5", "Expect: 100-continue");
        assertThat(client.readHead().status()).isEqualTo(100);
        client.write("hello");

        assertThat(client.read("POST").body()).isEqualTo("thanks");
        assertThat(backend.request().body()).isEqualTo("hello");
    }

    @Test
    void aClientThatDoesNotWaitLosesNothing() throws Exception {
        RawBackend backend = backend(peer -> {
            RawMessage head = peer.readHead();
            peer.write("HTTP/1.1 100 Continue\r\n\r\n");
            head.readBody(peer.in(), false);
            peer.write(answer(200, head.body()));
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/", "Transfer-Encoding: chunked", "Expect: 100-continue");
        client.write("5\r\nhello\r\n0\r\n\r\n");

        RawMessage answer = client.readHead();
        if (answer.status() == 100) {
            answer = client.read("POST");
        } else {
            answer.readBody(client.in(), false);
        }
        assertThat(answer.body()).isEqualTo("hello");
    }

    @Test
    void anHttp2ServerIsAskedToo() throws Exception {
        JettyBackend backend = closing(JettyBackend.h2c());
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/", "Content-Length: 5", "Expect: 100-continue");
        assertThat(client.readHead().status()).isEqualTo(100);
        client.write("hello");

        assertThat(client.read("POST").body()).isEqualTo("hello");
    }
}
