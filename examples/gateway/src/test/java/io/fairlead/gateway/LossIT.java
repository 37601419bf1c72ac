package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LossIT {
    private static final int CLIENTS = 8;
    private static final int REQUESTS_EACH = 500;

    @TempDir
    Path directory;

    @Test
    void aBackendThatDiesUnderLoadLosesNoGet() throws Exception {
        try (Backend a = Backend.named("a");
                Backend b = Backend.named("b");
                Backend c = Backend.named("c");
                GatewayProcess gateway = GatewayProcess.start(
                        "--config", ConfigText.file(directory, ConfigText.service(a, b, c)), "--port", "0")) {
            CountDownLatch underLoad = new CountDownLatch(CLIENTS * REQUESTS_EACH / 4);
            Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
            Callable<Void> client = () -> {
                try (Wire wire = new Wire(gateway.http())) {
                    for (int i = 0; i < REQUESTS_EACH; i++) {
                        Wire.Answer answer = wire.get("/x");
                        String who = answer.status() == 200 ? answer.body().substring(0, 1) : answer.toString();
                        answers.computeIfAbsent(who, name -> new AtomicInteger())
                                .incrementAndGet();
                        underLoad.countDown();
                    }
                }
                return null;
            };
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            try {
                List<Future<Void>> running = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    running.add(clients.submit(client));
                }
                assertThat(underLoad.await(60, TimeUnit.SECONDS)).isTrue();
                int before = answers.get("b").get();
                b.die();
                for (Future<Void> done : running) {
                    done.get(60, TimeUnit.SECONDS);
                }

                assertThat(answers).containsOnlyKeys("a", "b", "c");
                assertThat(answers.values().stream()
                                .mapToInt(AtomicInteger::get)
                                .sum())
                        .isEqualTo(CLIENTS * REQUESTS_EACH);
                // Those that were on their way when it died, and not its share of the rest.
                assertThat(answers.get("b").get() - before).isLessThan(CLIENTS * REQUESTS_EACH / 8);
            } finally {
                clients.shutdownNow();
            }
        }
    }
}
