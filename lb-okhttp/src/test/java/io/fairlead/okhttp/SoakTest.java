package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Many calls at once while one server after the other is restarted. Five in a hundred are cancelled, five half read. */
@Isolated("takes the warnings of leaks")
class SoakTest {
    private static final int THREADS = 8;
    private static final int SERVERS = 4;
    private static final String TEXT = new String(new char[20_000]).replace('\0', 'x');

    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger halfRead = new AtomicInteger();
    private final Queue<String> failed = new ConcurrentLinkedQueue<>();

    @Test
    void aThousandCallsSurviveRestartsAndLeaveNothingBehind() throws Exception {
        soak(1_000, 100);
    }

    @Test
    @Tag("long")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void tenThousandCallsSurviveRestartsAndLeaveNothingBehind() throws Exception {
        soak(10_000, 200);
    }

    /** @param between so many calls lie between the stop of a server, its start, and the stop of the next */
    private void soak(int calls, int between) throws Exception {
        List<RestartingServer> servers = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new RestartingServer(TEXT));
        }
        ExecutorService canceller = Executors.newSingleThreadExecutor();
        try (Orders orders =
                Orders.over(servers.stream().map(RestartingServer::url).toArray(String[]::new))) {
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                Random random = new Random(t);
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < calls / THREADS; i++) {
                        call(orders, random.nextInt(20), canceller);
                        ended.incrementAndGet();
                    }
                });
                threads.add(thread);
                thread.start();
            }
            int restarts = restart(servers, calls, between);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failed).isEmpty();
            assertThat(restarts).isGreaterThanOrEqualTo(3);
            assertThat(cancelled.get()).isGreaterThan(calls / 40);
            assertThat(halfRead.get()).isGreaterThan(calls / 40);
            await().untilAsserted(() -> assertThat(orders.inFlight()).isZero());
            assertThat(orders.picks()).isGreaterThanOrEqualTo(calls - cancelled.get());
            lookForLeaks(orders);
        } finally {
            canceller.shutdown();
            for (RestartingServer server : servers) {
                server.close();
            }
        }
    }

    private void call(Orders orders, int fate, ExecutorService canceller) {
        Call call = orders.client.newCall(
                new Request.Builder().url("http://orders/").build());
        boolean cancels = fate == 0;
        if (cancels) {
            canceller.execute(call::cancel);
            cancelled.incrementAndGet();
        }
        try (Response response = call.execute()) {
            if (fate == 1) {
                halfRead.incrementAndGet();
                assertThat(response.body().source().readByte()).isEqualTo((byte) 'x');
            } else {
                assertThat(response.body().string()).isEqualTo(TEXT);
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            if (!cancels || !(e instanceof IOException)) {
                failed.add(e + " " + Arrays.toString(e.getSuppressed()));
            }
        }
    }

    /** Restarts one server after the other until the calls come to their end. */
    private int restart(List<RestartingServer> servers, int calls, int between) throws IOException {
        int restarts = 0;
        while (ended.get() + 2 * between < calls) {
            RestartingServer server = servers.get(restarts % servers.size());
            server.stop();
            awaitCalls(between, calls);
            server.start();
            awaitCalls(between, calls);
            restarts++;
        }
        return restarts;
    }

    private void awaitCalls(int more, int calls) {
        int until = Math.min(ended.get() + more, calls / THREADS * THREADS);
        await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofMinutes(2)).until(() -> ended.get() >= until);
    }

    /** OkHttp warns of what has been collected unclosed when it next looks at its connections; see {@link LeakWatch}. */
    private static void lookForLeaks(Orders orders) throws IOException {
        System.gc();
        try (RawServer other = RawServer.answering("other")) {
            assertThat(orders.text(other.url())).isEqualTo("other");
        }
        assertThat(LeakWatch.drain()).isEmpty();
        assertThat(orders.client.connectionPool().connectionCount())
                .isEqualTo(orders.client.connectionPool().idleConnectionCount());
    }
}
