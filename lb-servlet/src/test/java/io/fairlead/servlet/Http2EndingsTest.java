package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.observe.EndpointSnapshot;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How HTTP/2 servers turn requests away, and what is made of it (RFC 9113, 8.7). */
final class Http2EndingsTest extends ContainerTest {
    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void aRefusedStreamGoesToTheNextServerWhateverTheMethodAndIsNobodysFault(String method) throws Exception {
        Http2Streams refusing = closing(new Http2Streams((stream, head, number) -> {
            stream.reset(new ResetFrame(stream.getId(), ErrorCode.REFUSED_STREAM_ERROR.code), Callback.NOOP);
        }));
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "strategy: priority", refusing.url(), good.url()));

        assertThat(client().exchange(method, "/", "hello", "Content-Length: 5").body())
                .isEqualTo("good");

        assertThat(refusing.requests()).isEqualTo(1);
        assertThat(good.request().body()).isEqualTo("hello");
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(0L, 0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void aStreamThatAGoAwayLeavesOutIsSentAnewOnAnotherConnection(String method) throws Exception {
        AtomicReference<Stream> first = new AtomicReference<>();
        Http2Streams leaving = closing(new Http2Streams((stream, head, number) -> {
            switch (number) {
                case 1 -> first.set(stream);
                case 2 ->
                    ((HTTP2Session) stream.getSession())
                            .goAway(
                                    new GoAwayFrame(stream.getId() - 2, ErrorCode.NO_ERROR.code, new byte[0]),
                                    Callback.NOOP);
                default -> Http2Streams.answer(stream, 200);
            }
        }));
        proxyTo(leaving.url());
        RawClient before = client();
        before.send("GET", "/before");
        Awaitility.await().until(() -> first.get() != null);

        for (int i = 0; i < 2; i++) {
            assertThat(client().exchange(method, "/", "hello", "Content-Length: 5")
                            .status())
                    .isEqualTo(200);
        }

        assertThat(leaving.requests()).isEqualTo(4);
        // A third where the first has not been seen to be closing when the next request comes.
        assertThat(leaving.sessions()).isBetween(2, 3);
        Http2Streams.answer(first.get(), 204);
        assertThat(before.read("GET").status()).isEqualTo(204);
        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(0L);
    }

    @ParameterizedTest
    @CsvSource({"GET, 200", "POST, 502"})
    void aStreamThatIsResetBeforeItsAnswerHasBroken(String method, int status) throws Exception {
        Http2Streams resetting = closing(new Http2Streams((stream, head, number) -> {
            stream.reset(new ResetFrame(stream.getId(), ErrorCode.INTERNAL_ERROR.code), Callback.NOOP);
        }));
        RawBackend good = backend(answer(200, "good"));
        proxy(service("orders", "strategy: priority", resetting.url(), good.url()));

        assertThat(client().exchange(method, "/", "").status()).isEqualTo(status);

        awaitNothingInFlight();
        assertThat(endpoints()).extracting(EndpointSnapshot::failures).containsExactly(1L, 0L);
    }

    @Test
    void aConnectionOnWhichNoPingIsAnsweredIsGivenUp() throws Exception {
        // Reads nothing after its own preface: neither request nor ping.
        RawBackend deaf = backend(peer -> {
            peer.out().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
            peer.out().flush();
            while (peer.in().read() >= 0) {
                // Thrown away.
            }
        });
        proxy("""
                http:
                  services:
                    orders: {loadBalancer: {servers: [{url: "h2c://127.0.0.1:%d"}], serversTransport: t}}
                  serversTransports:
                    t: {forwardingTimeouts: {readIdleTimeout: 50ms, pingTimeout: 100ms}}
                """.formatted(deaf.port()));

        assertThat(client().exchange("POST", "/", "").status()).isEqualTo(502);
    }

    @Test
    void aConnectionOnWhichNothingComesIsNotGivenToTheNextRequests() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        RawBackend blackHole = backend(peer -> {
            connections.incrementAndGet();
            peer.out().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
            peer.out().flush();
            while (peer.in().read() >= 0) {
                // Thrown away.
            }
            closed.incrementAndGet();
        });
        proxy("""
                http:
                  services:
                    orders: {loadBalancer: {servers: [{url: "h2c://127.0.0.1:%d"}], serversTransport: t}}
                  serversTransports:
                    t: {forwardingTimeouts: {responseHeaderTimeout: 50ms, pingTimeout: 50ms}}
                """.formatted(blackHole.port()));

        for (int i = 0; i < 3; i++) {
            assertThat(client().exchange("POST", "/", "").status()).isEqualTo(504);
            // One that came just ahead of the ping's verdict would rightly be 502.
            Awaitility.await().until(() -> closed.get() == connections.get());
        }

        // The first request may still have been there before the server's preface.
        assertThat(connections).hasValueGreaterThan(1);
    }

    private List<EndpointSnapshot> endpoints() {
        return balancers().all().iterator().next().snapshot().endpoints();
    }
}
