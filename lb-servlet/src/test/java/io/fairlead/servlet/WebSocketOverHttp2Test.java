package io.fairlead.servlet;

import static io.fairlead.servlet.WebSocketFrames.BINARY;
import static io.fairlead.servlet.WebSocketFrames.ofClient;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.containers.Container;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http2.ErrorCode;
import org.junit.jupiter.api.Test;

/** WebSockets over streams of HTTP/2 (RFC 8441), which Jetty has and Tomcat has not. */
final class WebSocketOverHttp2Test extends ContainerTest {
    private static final HttpFields FIELDS = HttpFields.build()
            .put("Sec-WebSocket-Version", "13")
            .put("Sec-WebSocket-Protocol", "chat")
            .put("Origin", "http://shop.example");

    private final CountDownLatch ended = new CountDownLatch(1);

    private static String accept(String key) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            String salted = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
            return Base64.getEncoder().encodeToString(sha1.digest(salted.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private RawBackend echo() throws IOException {
        return backend(peer -> {
            RawMessage request = peer.readHead();
            peer.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Accept: "
                    + accept(request.value("Sec-WebSocket-Key")) + "\r\n\r\n");
            byte[] some = new byte[8192];
            for (int n = peer.in().read(some); n >= 0; n = peer.in().read(some)) {
                peer.out().write(some, 0, n);
                peer.out().flush();
            }
            ended.countDown();
        });
    }

    @Test
    void framesGoBothWaysAndTheEndOfTheStreamIsThatOfTheConnection() throws Exception {
        RawBackend backend = echo();
        proxyTo(backend.url());
        byte[] large = new byte[1 << 20];
        new Random(3).nextBytes(large);
        byte[] frames = ofClient().text("hello").add(BINARY, true, large).bytes();

        Http2Call call = closing(Http2Call.webSocket(port(), "/chat?room=1", FIELDS));
        call.awaitHead();
        if (Container.isTomcat()) {
            assertThat(call.reset()).isEqualTo(ErrorCode.PROTOCOL_ERROR.code);
            return;
        }
        assertThat(call.status()).isEqualTo(200);
        assertThat(call.field("Sec-WebSocket-Protocol")).isEqualTo("chat");
        assertThat(call.field("Upgrade")).isNull();
        RawMessage request = backend.request();
        assertThat(request.startLine()).isEqualTo("GET /chat?room=1 HTTP/1.1");
        assertThat(request.value("Upgrade")).isEqualTo("websocket");
        assertThat(request.value("Host")).isEqualTo("127.0.0.1:" + port());
        assertThat(request.value("Origin")).isEqualTo("http://shop.example");
        assertThat(inFlight()).isEqualTo(1);

        call.send(frames);
        Awaitility.await().until(() -> call.bytes().length == frames.length);
        assertThat(call.bytes()).isEqualTo(frames);
        call.end();

        call.awaitAnswer();
        ended.await();
        awaitNothingInFlight();
    }

    @Test
    void aServerThatRefusesIsHeard() throws Exception {
        RawBackend backend = backend(answer(403, "no"));
        proxyTo(backend.url());

        Http2Call call = closing(Http2Call.webSocket(port(), "/", FIELDS));
        call.awaitAnswer();

        if (!Container.isTomcat()) {
            assertThat(call.status()).isEqualTo(403);
            assertThat(call.body()).isEqualTo("no");
        }
        awaitNothingInFlight();
    }

    @Test
    void aServerWithAnotherAnswerToTheKeyThanTheRightOneHasBroken() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: " + accept("another") + "\r\n\r\n");
            peer.in().read();
        });
        proxyTo(backend.url());

        Http2Call call = closing(Http2Call.webSocket(port(), "/", FIELDS));
        call.awaitAnswer();

        if (!Container.isTomcat()) {
            assertThat(call.status()).isEqualTo(502);
        }
        awaitNothingInFlight();
    }

    @Test
    void aClientThatLeavesEndsTheConnection() throws Exception {
        RawBackend backend = echo();
        proxyTo(backend.url());

        Http2Call call = Http2Call.webSocket(port(), "/", FIELDS);
        call.awaitHead();
        call.close();

        if (!Container.isTomcat()) {
            ended.await();
        }
        awaitNothingInFlight();
    }
}
