package io.fairlead.benchmarks.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The load and the server of the proxy benchmark, with no proxy between them. */
class LoadTest {
    private static ProxyProcess origin;

    @BeforeAll
    static void start() throws Exception {
        origin = Contenders.jvm(Origin.class, "");
    }

    @AfterAll
    static void stop() {
        origin.close();
    }

    @ParameterizedTest
    @EnumSource(Case.class)
    void theServerCountsWhatTheLoadCounts(Case what) throws Exception {
        OriginClient client = new OriginClient(origin.port());
        client.verify(origin, what);
        OriginClient.Counts before = client.counts();

        long runs = 1;
        Load.Result result = new JvmLoad().run(origin.port(), what, 200);
        for (int millis = 400; result.requests() == 0 && millis < 10_000; millis *= 2) {
            // A machine that is busy with other things; what the last run has sent may still arrive.
            runs++;
            result = new JvmLoad().run(origin.port(), what, millis);
        }

        OriginClient.Counts after = client.counts();
        assertThat(result.requests()).isPositive();
        assertThat(after.requests() - before.requests())
                .isBetween(result.requests(), result.requests() + runs * Load.CONNECTIONS);
        assertThat(after.uploaded() - before.uploaded())
                .isGreaterThanOrEqualTo(result.requests() * what.requestBytes());
        assertThat(result.bytes()).isGreaterThan(result.requests() * what.answerBytes());
        assertThat(result.p50Micros()).isPositive().isLessThanOrEqualTo(result.p99Micros());
        assertThat(origin.cpuMicros()).isPositive();
    }

    @Test
    void anAnswerOfAnotherLengthEndsTheMeasurement() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> wrong = CompletableFuture.runAsync(() -> {
                try (var socket = server.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
                                    .getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            assertThatThrownBy(() -> new JvmLoad().run(server.getLocalPort(), Case.SMALL_GET, 5000))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Content-Length: 3");
            assertThat(wrong).isNotNull();
        }
    }

    @Test
    void heldRequestsAreAnsweredTogether() throws Exception {
        OriginClient client = new OriginClient(origin.port());
        try (OpenConnections waiting = OpenConnections.open(origin.port(), 3)) {
            waiting.send("/wait");
            while (client.counts().waiting() < 3) {
                Thread.onSpinWait();
            }
            client.release();
            waiting.readEach();
        }
        assertThat(client.counts().waiting()).isZero();
    }
}
