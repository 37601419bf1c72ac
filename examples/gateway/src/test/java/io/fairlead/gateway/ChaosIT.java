package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Load on ten servers that are killed, hung, slowed down, restarted and fenced at random, at most four of them at a time: a
 * request has five tries, so there is always a server left that answers. It lasts for 10 s, or as many as {@code
 * -Dchaos.seconds} says.
 */
@Tag("large")
@Tag("thorough")
final class ChaosIT {
    private static final int SERVERS = 10;
    private static final int MOST_UNWELL = 4;
    private static final int CLIENTS = 8;
    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("chaos.seconds", 10));
    private static final long SEED = 20;
    private static final Pattern IN_FLIGHT = Pattern.compile("\"id\":\"([^\"]+)\"[^}]*?\"inFlight\":(\\d+)");

    @TempDir
    Path directory;

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong answered = new AtomicLong();
    private final Random random = new Random(SEED);
    private final List<MoodyServer> servers = new ArrayList<>();

    @Test
    void noGetFailsNoFencedServerIsAskedAndNothingIsLeftBehind() throws Exception {
        ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new MoodyServer(later));
        }
        try (GatewayProcess gateway = GatewayProcess.start(
                        "--config", ConfigText.file(directory, config()), "--port", "0", "--admin-port", "0");
                Wire admin = new Wire(gateway.admin())) {
            load(gateway, () -> patiently().until(() -> answered.get() > 2_000));
            awaitIdle(admin);
            Left before = Left.of(gateway);

            load(gateway, () -> rage(admin));

            assertThat(failures).isEmpty();
            awaitIdle(admin);
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                Left after = Left.of(gateway);
                assertThat(after.files).isLessThanOrEqualTo(before.files + 2);
                // The pools give back one idle thread a minute, and each client may have kept one busy at the worst
                // moment.
                assertThat(after.threads).hasSizeLessThanOrEqualTo(before.threads.size() + CLIENTS);
            });
        } finally {
            for (MoodyServer server : servers) {
                server.close();
            }
            later.shutdownNow();
        }
    }

    /** Other tests run at the same time, and the gateway has only just started. */
    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private String config() {
        StringBuilder yaml = new StringBuilder("""
                http:
                  serversTransports:
                    quick: {forwardingTimeouts: {dialTimeout: 1s, responseHeaderTimeout: 5s, idleConnTimeout: 2s}}
                  services:
                    app:
                      loadBalancer:
                        serversTransport: quick
                        passiveHealthCheck: {maxFailedAttempts: 3, failureWindow: 5s, baseEjection: 1s, maxEjection: 3s}
                        retry:
                          attempts: 5
                          perTryTimeout: 500ms
                          failures: [connect, broken, timeout]
                          budget: {percent: 50, minPerSecond: 50}
                        servers:
                """);
        for (MoodyServer server : servers) {
            yaml.append("          - url: \"").append(server.url()).append("\"\n");
        }
        return yaml.toString();
    }

    /** Something that lasts, and may fail. */
    private interface Work {
        void run() throws Exception;
    }

    /** Runs clients as long as this work lasts. */
    private void load(GatewayProcess gateway, Work work) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = "/client" + i + "/";
                running.add(clients.submit(() -> client(gateway, name, over)));
            }
            work.run();
            over.countDown();
            for (Future<?> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            over.countDown();
            clients.shutdownNow();
        }
    }

    private void client(GatewayProcess gateway, String name, CountDownLatch over) {
        try (Wire wire = new Wire(gateway.http())) {
            for (long i = 0; over.getCount() > 0; i++) {
                String path = name + i;
                Wire.Answer answer = wire.get(path);
                if (answer.status() != 200 || !answer.body().equals(path)) {
                    failures.add(path + ": " + answer);
                }
                answered.incrementAndGet();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void rage(Wire admin) throws Exception {
        long end = System.nanoTime() + LENGTH.toNanos();
        for (int round = 0; System.nanoTime() < end; round++) {
            if (round % 10 == 9) {
                fenceOne(admin);
            }
            changeAMood();
            // A mood lasts for as many requests as come through in the meantime.
            long until = answered.get() + 50 + random.nextInt(200);
            patiently().pollInterval(Duration.ofMillis(2)).until(() -> answered.get() >= until);
        }
        for (MoodyServer server : servers) {
            server.become(MoodyServer.Mood.WELL);
        }
    }

    private void changeAMood() throws IOException {
        List<MoodyServer> unwell = servers.stream()
                .filter(server -> server.mood() != MoodyServer.Mood.WELL)
                .toList();
        MoodyServer.Mood[] moods = MoodyServer.Mood.values();
        if (unwell.size() >= MOST_UNWELL) {
            unwell.get(random.nextInt(unwell.size())).become(MoodyServer.Mood.WELL);
        } else {
            servers.get(random.nextInt(SERVERS)).become(moods[random.nextInt(moods.length)]);
        }
    }

    /** Fences a server that is well, waits until it has drained, and sees that nobody asks it any more. */
    private void fenceOne(Wire admin) throws Exception {
        MoodyServer server = servers.stream()
                .filter(each -> each.mood() == MoodyServer.Mood.WELL)
                .skip(random.nextInt(SERVERS - MOST_UNWELL))
                .findFirst()
                .orElseThrow();
        assertThat(post(admin, server, "fence")).isEqualTo(204);
        patiently()
                .pollInterval(Duration.ofMillis(2))
                .until(() -> inFlight(admin).get(server.id()) == 0);
        long asked = server.requests();
        long until = answered.get() + 200;
        patiently().pollInterval(Duration.ofMillis(2)).until(() -> answered.get() >= until);
        assertThat(server.requests()).isEqualTo(asked);
        assertThat(post(admin, server, "unfence")).isEqualTo(204);
    }

    private static int post(Wire admin, MoodyServer server, String what) throws IOException {
        return admin.exchange("POST /api/services/app/servers/" + server.id() + "/" + what
                        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n")
                .status();
    }

    private static void awaitIdle(Wire admin) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(inFlight(admin))
                        .hasSize(SERVERS)
                        .allSatisfy((id, count) -> assertThat(count).isZero()));
    }

    private static Map<String, Integer> inFlight(Wire admin) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        Matcher servers = IN_FLIGHT.matcher(admin.get("/api/services").body());
        while (servers.find()) {
            counts.put(servers.group(1), Integer.parseInt(servers.group(2)));
        }
        return counts;
    }

    /** What a process holds: open files, sockets among them, and threads but those that HotSpot starts as it likes. */
    private record Left(long files, List<String> threads, List<String> pooled) {
        private static final Pattern OF_POOLS = Pattern.compile("(gateway|admin|fairlead-upstre).*");
        private static final Pattern OF_HOTSPOT = Pattern.compile("C[12] Compiler.*|GC Thread.*|G1 .*");

        static Left of(GatewayProcess gateway) throws IOException {
            Path process = Path.of("/proc", Long.toString(gateway.pid()));
            try (Stream<Path> files = Files.list(process.resolve("fd"));
                    Stream<Path> threads = Files.list(process.resolve("task"))) {
                Map<Boolean, List<String>> names = threads.map(Left::name)
                        .filter(name -> !OF_HOTSPOT.matcher(name).matches())
                        .sorted()
                        .collect(Collectors.partitioningBy(
                                name -> OF_POOLS.matcher(name).matches()));
                return new Left(files.count(), names.get(false), names.get(true));
            }
        }

        /** The first 15 characters of the thread's name, which is all that Linux keeps. */
        private static String name(Path thread) {
            try {
                return Files.readString(thread.resolve("comm")).strip();
            } catch (IOException e) {
                return "ended meanwhile";
            }
        }
    }
}
