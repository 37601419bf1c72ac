package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/** Many calls at once, over servers that hang up whenever a connection is idle. */
class RestlessServersTest {
    private static final int THREADS = 8;
    private static final int CALLS = 150;
    private static final String TEXT = new String(new char[20_000]).replace('\0', 'x');

    /** Closes each connection after a few answers, without a word. */
    private static RawServer restless() throws IOException {
        return RawServer.running(connection -> {
            for (int left = 1 + connection.number % 4; left > 0 && connection.readRequest() != null; left--) {
                connection.answer(200, TEXT);
            }
        });
    }

    @Test
    void noGetFailsAndNothingStaysInFlight() throws Exception {
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        AtomicInteger answered = new AtomicInteger();
        try (RawServer a = restless();
                RawServer b = restless();
                Orders orders = Orders.over(a.url(), Orders.deadUrl(), b.url())) {
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                Random random = new Random(t);
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < CALLS; i++) {
                        Call call = orders.client.newCall(
                                new Request.Builder().url("http://orders/").build());
                        try (Response response = call.execute()) {
                            switch (random.nextInt(20)) {
                                case 0:
                                    call.cancel();
                                    break;
                                case 1:
                                    response.body().source().readByte();
                                    break;
                                default:
                                    assertThat(response.body().string()).isEqualTo(TEXT);
                                    break;
                            }
                            answered.incrementAndGet();
                        } catch (IOException | AssertionError e) {
                            failed.add(e + " " + java.util.Arrays.toString(e.getSuppressed()));
                        }
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failed).isEmpty();
            assertThat(answered.get()).isEqualTo(THREADS * CALLS);
            // A closed connection is not the server's fault; by chance a call may meet one after another.
            assertThat(failures(orders, 0) + failures(orders, 2)).isLessThan(THREADS * CALLS / 200);
        }
    }

    private static long failures(Orders orders, int server) {
        return orders.balancer.snapshot().endpoints().get(server).failures();
    }
}
