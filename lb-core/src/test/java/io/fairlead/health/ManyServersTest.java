package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Thousands of servers, a tenth of which hang. With a thread for each check the 200 that hang would keep 32 threads for
 * 200 · 3 s / 32, which is 19 s a round, and every other check would wait behind them.
 */
@Isolated("counts threads")
final class ManyServersTest {
    private static final int SERVERS = 2_000;
    private static final int HANGING = 200;
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    @Test
    void theChecksOfHealthyServersKeepTheirIntervalWhileOthersHangAndThreadsAreFew() throws Exception {
        Set<Thread> before = threads();
        try (Fast healthy = new Fast();
                Fast watched = new Fast();
                ServerSocket hanging = new ServerSocket(0, 4_000, InetAddress.getLoopbackAddress())) {
            List<Endpoint> endpoints = new ArrayList<>();
            for (int i = 0; i < SERVERS - 1; i++) {
                int port = i % (SERVERS / HANGING) == 0 ? hanging.getLocalPort() : healthy.port();
                endpoints.add(Endpoint.builder("http://127.0.0.1:" + port)
                        .id((port == healthy.port() ? "ok-" : "hangs-") + i)
                        .build());
            }
            endpoints.add(Endpoint.builder("http://127.0.0.1:" + watched.port())
                    .id("watched")
                    .build());
            LoadBalancer balancer = LoadBalancer.builder("orders")
                    .endpoints(endpoints)
                    .strategy("random")
                    .healthCheck(HealthCheck.builder()
                            .path("/")
                            .interval(INTERVAL)
                            .timeout(Duration.ofSeconds(3))
                            .fall(1)
                            .build())
                    .build();
            await().atMost(Duration.ofSeconds(60)).until(() -> watched.times().size() >= 5);
            Set<Thread> ours = threads();
            ours.removeAll(before);
            List<EndpointSnapshot> servers = balancer.snapshot().endpoints();
            balancer.close();

            List<Long> times = watched.times();
            for (int i = 1; i < 5; i++) {
                assertThat(Duration.ofNanos(times.get(i) - times.get(i - 1)))
                        .as("the gap before check " + i)
                        .isLessThan(INTERVAL.multipliedBy(2));
            }
            assertThat(servers)
                    .filteredOn(server -> server.id().startsWith("hangs-"))
                    .hasSize(HANGING);
            assertThat(servers)
                    .filteredOn(server -> !server.up())
                    .allMatch(server -> server.id().startsWith("hangs-"));
            assertThat(servers)
                    .filteredOn(server -> server.check() == CheckState.DOWN)
                    .as("those that hang are found out, each in its turn")
                    .hasSizeGreaterThan(SocketProber.MAX_SLOW)
                    .allMatch(server -> "timed out".equals(server.checkError()));
            assertThat(ours).as("a timer, a selector, and a pool of 32").hasSizeLessThanOrEqualTo(1 + 1 + 32);
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fairlead-"))
                .collect(Collectors.toSet());
    }

    /** A server that costs the machine little: it answers any bytes with 204 and notes when they came. */
    private static final class Fast implements AutoCloseable {
        private final Selector selector = Selector.open();
        private final ServerSocketChannel listener = ServerSocketChannel.open();
        private final List<Long> times = new CopyOnWriteArrayList<>();
        private final Thread thread = new Thread(this::run, "fast");

        Fast() throws IOException {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_000);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            thread.start();
        }

        int port() {
            return listener.socket().getLocalPort();
        }

        List<Long> times() {
            return times;
        }

        private void run() {
            try {
                while (selector.isOpen()) {
                    selector.select();
                    if (!selector.isOpen()) {
                        return;
                    }
                    for (SelectionKey key : selector.selectedKeys()) {
                        serve(key);
                    }
                    selector.selectedKeys().clear();
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        private void serve(SelectionKey key) throws IOException {
            if (key.isAcceptable()) {
                SocketChannel channel = listener.accept();
                if (channel != null) {
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ);
                }
                return;
            }
            try (SocketChannel channel = (SocketChannel) key.channel()) {
                if (channel.read(ByteBuffer.allocate(1_000)) > 0) {
                    if (times.size() < 100) {
                        times.add(System.nanoTime());
                    }
                    channel.write(
                            ByteBuffer.wrap("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
                }
            }
        }

        @Override
        public void close() throws IOException {
            selector.close();
            listener.close();
        }
    }
}
