package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LossIT {
    private static final int CLIENTS = 8;
    private static final int REQUESTS_EACH = 500;

    @TempDir
    Path directory;

    @Test
    void aBackendThatDiesUnderLoadLosesNoGet() throws Exception {
        ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
        // Servers that write an answer in one piece: of one that dies after its head nobody could make good the rest.
        try (MoodyServer a = new MoodyServer(later);
                MoodyServer b = new MoodyServer(later);
                MoodyServer c = new MoodyServer(later);
                GatewayProcess gateway =
                        GatewayProcess.start("--config", ConfigText.file(directory, service(a, b, c)), "--port", "0")) {
            CountDownLatch underLoad = new CountDownLatch(CLIENTS * REQUESTS_EACH / 4);
            Queue<String> lost = new ConcurrentLinkedQueue<>();
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            try {
                List<Future<Void>> running = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String path = "/client" + i + "/";
                    running.add(clients.submit(client(gateway, path, lost, underLoad)));
                }
                assertThat(underLoad.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(b.requests()).isPositive();
                b.become(MoodyServer.Mood.DEAD);
                long asked = b.requests();
                for (Future<Void> done : running) {
                    done.get(60, TimeUnit.SECONDS);
                }

                assertThat(lost).isEmpty();
                assertThat(a.requests() + c.requests()).isGreaterThan(CLIENTS * REQUESTS_EACH / 2);
                // Those that were on their way when it died, and not its share of the rest.
                assertThat(b.requests() - asked).isLessThan(CLIENTS * 2);
            } finally {
                clients.shutdownNow();
            }
        } finally {
            later.shutdownNow();
        }
    }

    private static Callable<Void> client(
            GatewayProcess gateway, String path, Queue<String> lost, CountDownLatch underLoad) {
        return () -> {
            try (Wire wire = new Wire(gateway.http())) {
                for (int i = 0; i < REQUESTS_EACH; i++) {
                    Wire.Answer answer = wire.get(path + i);
                    if (answer.status() != 200 || !answer.body().equals(path + i)) {
                        lost.add(path + i + ": " + answer);
                    }
                    underLoad.countDown();
                }
            }
            return null;
        };
    }

    private static String service(MoodyServer... servers) {
        StringBuilder yaml = new StringBuilder("http:\n  services:\n    app:\n      loadBalancer:\n        servers:\n");
        for (MoodyServer server : servers) {
            yaml.append("          - url: \"").append(server.url()).append("\"\n");
        }
        return yaml.toString();
    }
}
