package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads of answers that are larger than what the container sends, or than what the proxy takes. */
@ResourceLock(Resources.SYSTEM_ERR)
final class LargeHeadsTest extends ContainerTest {
    private final AtomicReference<String> answer = new AtomicReference<>();
    private RawBackend backend;

    @BeforeEach
    void begin() throws Exception {
        backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(answer.get());
            }
        });
        proxyTo(backend.url());
    }

    private static String large(int bytes) {
        return "X-Large: " + "x".repeat(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 100_000})
    void oneThatTheContainerDoesNotSendIsAnswered502AndTheConnectionGoesOn(int length) throws Exception {
        answer.set(answer(200, "x".repeat(length), large(40_000)));
        RawClient client = client();
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        RawMessage refused;
        try {
            refused = client.get("/");
        } finally {
            System.setErr(before);
        }

        assertThat(refused.status()).isEqualTo(502);
        assertThat(refused.value("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.values("X-Large")).isEmpty();
        assertThat(logged.toString(StandardCharsets.UTF_8))
                .contains("service 'orders'", backend.url(), "more than the");
        answer.set(answer(200, "small"));
        assertThat(client.get("/").body()).isEqualTo("small");
        awaitNothingInFlight();
    }

    @Test
    void oneThatTheContainerSendsGoesThrough() throws Exception {
        answer.set(answer(200, "hello", large(7_000)));

        RawMessage got = client().get("/");

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.value("X-Large")).hasSize(7_000);
        assertThat(got.body()).isEqualTo("hello");
    }

    @Test
    void oneThatTheProxyDoesNotTakeIsAnswered502() throws Exception {
        answer.set(answer(200, "hello", large(70_000)));
        RawClient client = client();

        assertThat(client.get("/").status()).isEqualTo(502);
        answer.set(answer(200, "small"));
        assertThat(client.get("/").body()).isEqualTo("small");
        awaitNothingInFlight();
    }

    @Test
    void overHttp2ItIsAnswered502AsWell() throws Exception {
        answer.set(answer(200, "hello", large(40_000)));
        Http2Call call = closing(Http2Call.post(port(), "/", HttpFields.EMPTY));
        call.end();

        call.awaitAnswer();

        assertThat(call.isAnswered()).isTrue();
        assertThat(call.status()).isEqualTo(502);
        awaitNothingInFlight();
    }
}
