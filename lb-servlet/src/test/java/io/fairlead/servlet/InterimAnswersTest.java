package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.containers.Container;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that announce another one: Jetty sends them on, elsewhere they are swallowed. */
final class InterimAnswersTest extends ContainerTest {
    private static final String HINTS =
            "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n";

    @ParameterizedTest
    @ValueSource(strings = {"hello", ""})
    void earlyHintsComeBeforeTheAnswerIsThere(String body) throws Exception {
        CountDownLatch seen = new CountDownLatch(Container.isTomcat() ? 0 : 1);
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(HINTS);
                seen.await();
                peer.write(answer(200, body, "X-Final: yes"));
            }
        });
        proxyTo(backend.url());
        RawClient client = client();

        client.send("GET", "/");

        if (!Container.isTomcat()) {
            RawMessage hints = client.readHead();
            assertThat(hints.status()).isEqualTo(103);
            assertThat(hints.value("Link")).isEqualTo("</style.css>; rel=preload");
            assertThat(hints.values("X-Hop")).isEmpty();
            seen.countDown();
        }
        RawMessage answer = client.readHead();
        answer.readBody(client.in(), false);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(answer.value("X-Final")).isEqualTo("yes");
        assertThat(answer.values("Link")).isEmpty();
        assertThat(client.get("/").body()).isEqualTo(body);
        awaitNothingInFlight();
    }

    @Test
    void manyOfThemRightBeforeALongAnswerDisturbNothing() throws Exception {
        String body = "x".repeat(300_000);
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(HINTS.repeat(20) + "HTTP/1.1 102 Processing\r\n\r\n" + answer(200, body));
            }
        });
        proxyTo(backend.url());
        RawClient client = client();

        for (int i = 0; i < 20; i++) {
            assertThat(client.exchange("POST", "/", "abc", "Content-Length: 3").body())
                    .isEqualTo(body);
        }
        awaitNothingInFlight();
    }

    @Test
    void aServerThatBreaksOffAfterThemIsAnswered502() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(HINTS);
        });
        proxyTo(backend.url());

        for (int i = 0; i < 20; i++) {
            assertThat(client().exchange("POST", "/", "").status()).isEqualTo(502);
        }
        awaitNothingInFlight();
    }

    @Test
    void aClientOfHttp10GetsTheAnswerAlone() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(HINTS + answer(200, "hello"));
        });
        proxyTo(backend.url());
        RawClient client = client();

        client.write("GET / HTTP/1.0\r\n\r\n");

        assertThat(client.readHead().status()).isEqualTo(200);
    }

    @Test
    void overHttp2TheAnswerIsWholeBehindThem() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(HINTS + answer(200, "hello"));
        });
        proxyTo(backend.url());
        Http2Call call = closing(Http2Call.post(port(), "/", HttpFields.EMPTY));
        call.end();

        call.awaitAnswer();

        assertThat(call.status()).isEqualTo(200);
        assertThat(call.body()).isEqualTo("hello");
        assertThat(call.reset()).isNull();
    }
}
