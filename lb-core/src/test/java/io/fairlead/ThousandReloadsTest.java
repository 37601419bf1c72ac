package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.config.ConfigFile;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The file changes a thousand times while requests run against real servers. */
@Tag("large")
@Isolated("measures the heap")
@Tag("thorough")
final class ThousandReloadsTest {
    private static final int RELOADS = 1_000;
    private static final int CLIENTS = 4;

    @TempDir
    private Path directory;

    private final List<HttpServer> servers = new ArrayList<>();
    private final ExecutorService serving = Executors.newCachedThreadPool();
    private final Driven time = new Driven();

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(serving);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            server.start();
            servers.add(server);
        }
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
        serving.shutdownNow();
    }

    @Test
    void noRequestFailsAndNothingIsLeftBehind() throws Exception {
        Path file = directory.resolve("lb.yaml");
        write(file, 0);
        LoadBalancers balancers = LoadBalancers.from(ConfigFile.read(file), time);
        int timers = time.manual.waiting();
        ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        AtomicLong answered = new AtomicLong();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            running.add(clients.submit(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    request(balancers, failures, answered);
                }
            }));
        }
        await().until(() -> answered.get() > 100);

        long usedEarly = 0;
        for (int i = 1; i <= RELOADS; i++) {
            reload(balancers, file, i);
            if (i == RELOADS / 5) {
                usedEarly = used();
            }
        }
        long usedLate = used();
        long answeredInAll = answered.get();
        clients.shutdownNow();
        for (Future<?> each : running) {
            each.get(10, TimeUnit.SECONDS);
        }

        assertThat(failures).isEmpty();
        assertThat(answeredInAll).isGreaterThan(RELOADS);
        // Both were measured with the same content in effect.
        assertThat(usedLate - usedEarly).isLessThan(1_000_000);
        assertThat(balancers.get("orders").snapshot().endpoints())
                .extracting(EndpointSnapshot::inFlight)
                .containsOnly(0);
        assertThat(time.manual.waiting()).isEqualTo(timers);
        balancers.close();
        assertThat(time.manual.waiting()).isZero();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("fairlead")));
    }

    private static void request(LoadBalancers balancers, ConcurrentLinkedQueue<String> failures, AtomicLong answered) {
        try {
            Pick pick = balancers.get("orders").pick(RequestFacts.NONE);
            try {
                HttpURLConnection connection = (HttpURLConnection)
                        pick.endpoint().uri().resolve("/x").toURL().openConnection();
                connection.setReadTimeout(10_000);
                try (InputStream body = connection.getInputStream()) {
                    assertThat(body.read()).isNegative();
                }
                pick.success();
                answered.incrementAndGet();
            } finally {
                pick.cancel();
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failures.add(e.toString());
        }
    }

    private void reload(LoadBalancers balancers, Path file, int number) throws IOException {
        ConfigFile before = balancers.configFile();
        write(file, number);
        await().pollDelay(0, TimeUnit.MILLISECONDS)
                .pollInterval(1, TimeUnit.MILLISECONDS)
                .until(() -> {
                    time.manual.advanceMillis(400);
                    return balancers.configFile() != before;
                });
    }

    private void write(Path file, int number) throws IOException {
        String comment = "# " + number + "\n";
        Files.write(file, (comment + "http:\n  services:\n" + services(number % 5)).getBytes(StandardCharsets.UTF_8));
    }

    private String services(int variant) {
        String all = server(0, "") + ", " + server(1, "") + ", " + server(2, "");
        switch (variant) {
            case 1:
                return "    orders: {loadBalancer: {strategy: p2c, servers: [" + all + "]}}\n";
            case 2:
                return "    orders: {loadBalancer: {healthCheck: {interval: 1s}, servers: [" + server(2, ", weight: 3")
                        + ", " + server(0, ", fenced: true") + "]}}\n";
            case 3:
                return "    orders: {failover: {service: main, fallback: spare}}\n"
                        + "    main: {loadBalancer: {servers: [" + server(0, "") + "]}}\n"
                        + "    spare: {loadBalancer: {servers: [" + server(1, "") + "]}}\n";
            case 4:
                return "    orders: {loadBalancer: {strategy: maglev, passiveHealthCheck: {}, servers: [" + all
                        + "]}}\n";
            default:
                return "    orders: {loadBalancer: {servers: [" + all + "]}}\n";
        }
    }

    private String server(int index, String more) {
        return "{url: \"http://127.0.0.1:" + servers.get(index).getAddress().getPort() + "\"" + more + "}";
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** Timers that the test moves on, and the threads of a real scheduler. */
    private static final class Driven implements Scheduler {
        final ManualScheduler manual = new ManualScheduler();
        private final Scheduler threads = Scheduler.system();

        @Override
        public long nanoTime() {
            return manual.nanoTime();
        }

        @Override
        public Timer schedule(Runnable task, long delayNanos) {
            return manual.schedule(task, delayNanos);
        }

        @Override
        public Executor blocking() {
            return threads.blocking();
        }

        @Override
        public Executor files() {
            return threads.files();
        }

        @Override
        public void close() {
            manual.close();
            threads.close();
        }
    }
}
