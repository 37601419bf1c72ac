package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests are handled by the threads that serve all connections, so no client may keep one of them. */
@Tag("long")
final class StubbornClientIT {
    private static final int MAX_BYTES = 64 * 1024 * 1024;
    /** Longer than the gateway takes to answer what stands in the buffers of the system already. */
    private static final long STUCK_NANOS = 6_000_000_000L;

    @TempDir
    static Path directory;

    private static Backend backend;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        backend = Backend.named("app");
        String rest = """
                    dead: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}
                  routers:
                    app: {rule: "PathPrefix(`/app`)", service: app}
                    dead: {rule: "PathPrefix(`/dead`)", service: dead}
                """;
        // One selector, whatever the machine has: else the two connections may have a thread each.
        gateway = GatewayProcess.start(
                List.of("-XX:ActiveProcessorCount=1"),
                "--config",
                ConfigText.file(directory, ConfigText.service(backend) + rest),
                "--port",
                "0");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        backend.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere", "/app/../x", "/dead", "/app"})
    void aClientThatReadsNoAnswerKeepsNobodyWaiting(String path) throws Exception {
        try (SocketChannel stubborn = SocketChannel.open();
                Wire other = new Wire(gateway.http())) {
            stubborn.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            stubborn.connect(new InetSocketAddress(
                    gateway.http().getHost(), gateway.http().getPort()));
            sendUntilStuck(stubborn, path);

            // Well before the gateway gives up a connection on which nothing moves, by which all would go on.
            assertTimeout(Duration.ofSeconds(20), () -> {
                for (int i = 0; i < 4; i++) {
                    assertThat(other.get("/app/x").status()).isEqualTo(200);
                }
            });
        }
    }

    /** Until the gateway takes no more of it. */
    private static void sendUntilStuck(SocketChannel channel, String path) throws IOException {
        channel.configureBlocking(false);
        byte[] request =
                ("GET " + path + " HTTP/1.1\r\nHost: gateway.test\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer many = ByteBuffer.allocate(request.length * 1000);
        while (many.hasRemaining()) {
            many.put(request);
        }
        many.flip();
        long sent = 0;
        long moved = System.nanoTime();
        while (System.nanoTime() - moved < STUCK_NANOS) {
            int count = channel.write(many);
            if (count > 0) {
                moved = System.nanoTime();
                sent += count;
                if (sent > MAX_BYTES) {
                    throw new SocketTimeoutException("the gateway takes everything");
                }
            }
            if (!many.hasRemaining()) {
                many.rewind();
            }
            Thread.onSpinWait();
        }
    }
}
