package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShutdownIT {
    @TempDir
    Path directory;

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @Test
    void sigtermLetsTheRequestUnderWayEndAndTakesNoOther() throws Exception {
        try (Backend backend = new Backend(exchange -> {
                    arrived.countDown();
                    awaitUninterrupted(mayAnswer);
                    Backend.answer(exchange, "the whole answer");
                });
                GatewayProcess gateway = start(backend);
                Wire wire = new Wire(gateway.http());
                Wire admin = new Wire(gateway.admin())) {
            assertThat(admin.get("/readyz").status()).isEqualTo(200);
            wire.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            arrived.await();

            gateway.terminate();

            await().untilAsserted(
                            () -> assertThat(admin.get("/readyz").status()).isEqualTo(503));
            assertThat(admin.get("/healthz").status()).isEqualTo(200);
            await().untilAsserted(() ->
                    assertThatThrownBy(() -> new Wire(gateway.http()).close()).isInstanceOf(ConnectException.class));
            assertThat(gateway.isAlive()).isTrue();

            mayAnswer.countDown();

            Wire.Answer answer = wire.answer();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("the whole answer");
            assertThat(answer.fields().get("connection")).isEqualTo("close");
            assertThat(gateway.awaitEnd()).isZero();
            assertThat(gateway.err()).isEmpty();
        }
    }

    @Test
    void withNothingUnderWayItEndsAtOnceThoughConnectionsAreOpen() throws Exception {
        try (Backend backend = Backend.named("app");
                GatewayProcess gateway = start(backend);
                Wire wire = new Wire(gateway.http())) {
            assertThat(wire.get("/x").status()).isEqualTo(200);
            long began = System.nanoTime();

            gateway.terminate();

            assertThat(wire.isClosedByPeer()).isTrue();
            assertThat(gateway.awaitEnd()).isZero();
            // Far from the 30 s that running requests are given.
            assertThat(System.nanoTime() - began).isLessThan(15_000_000_000L);
            assertThat(gateway.err()).isEmpty();
        }
    }

    @Test
    void theDemoEndsInOrderToo() throws Exception {
        try (GatewayProcess gateway = GatewayProcess.start("--port", "0")) {
            gateway.terminate();

            assertThat(gateway.awaitEnd()).isZero();
        }
    }

    private GatewayProcess start(Backend backend) throws IOException {
        return GatewayProcess.start(
                "--config",
                ConfigText.file(directory, ConfigText.service(backend)),
                "--port",
                "0",
                "--admin-port",
                "0");
    }

    private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
