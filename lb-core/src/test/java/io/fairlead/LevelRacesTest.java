package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.health.SlowStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes against picks on real threads and real timers. */
final class LevelRacesTest {
    private static final int SERVERS = 8;
    private static final int ROUNDS = 100;

    /** Odd while a server is fenced for certain: counted on after the fence, and again before it is taken away. */
    private final AtomicIntegerArray fences = new AtomicIntegerArray(SERVERS);

    @ParameterizedTest
    @ValueSource(strings = {"wrr", "round-robin", "p2c", "hrw"})
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void noPickThatBeginsAfterAFenceGivesTheServer(String strategy) throws Exception {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders")
                .strategy(strategy)
                .slowStart(SlowStart.of(Duration.ofMillis(300)))
                .panicThreshold(50)
                .zones(ZonePreference.of("z0"));
        for (int i = 0; i < SERVERS; i++) {
            builder.endpoint(endpoint(i, 1));
        }
        Semaphore rounds = new Semaphore(0);
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (LoadBalancer balancer = builder.build()) {
            List<Future<Long>> pickers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                pickers.add(threads.submit(() -> pickUntil(stop, balancer)));
            }
            Future<?> updates = threads.submit(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    // As often as the fences, or these would hardly come to the lock.
                    rounds.acquire();
                    balancer.add(endpoint(SERVERS, 1 + i % 3));
                    balancer.add(endpoint(SERVERS - 1, 1 + i % 5));
                    balancer.remove(SERVERS + ".test:80");
                }
                return null;
            });
            for (int round = 0; round < ROUNDS; round++) {
                int server = round % (SERVERS - 1);
                rounds.release();
                balancer.fence(id(server));
                fences.incrementAndGet(server);
                for (int i = 0; i < 20; i++) {
                    Pick pick = balancer.pick(RequestFacts.NONE);
                    assertThat(pick.endpoint().id()).isNotEqualTo(id(server));
                    pick.cancel();
                }
                fences.incrementAndGet(server);
                balancer.unfence(id(server));
            }
            updates.get();
            stop.set(true);
            for (Future<Long> picker : pickers) {
                assertThat(picker.get()).isPositive();
            }
            assertThat(balancer.snapshot().endpoints())
                    .allSatisfy(endpoint -> assertThat(endpoint.inFlight()).isZero());
        } finally {
            stop.set(true);
            threads.shutdownNow();
        }
    }

    private long pickUntil(AtomicBoolean stop, LoadBalancer balancer) {
        int[] before = new int[SERVERS];
        long picks = 0;
        for (; !stop.get(); picks++) {
            for (int i = 0; i < SERVERS; i++) {
                before[i] = fences.get(i);
            }
            Pick pick = balancer.pick(RequestFacts.NONE);
            String id = pick.endpoint().id();
            for (int i = 0; i < SERVERS; i++) {
                // The same odd number before and after: fenced all the time.
                if (before[i] % 2 == 1 && id.equals(id(i)) && fences.get(i) == before[i]) {
                    throw new AssertionError(id + " was picked although it was fenced");
                }
            }
            if (picks % 1009 == 0) {
                pick.done(Outcome.connectFailed(null));
            } else {
                pick.success();
            }
        }
        return picks;
    }

    private static Endpoint endpoint(int i, int weight) {
        return Endpoint.builder("http://" + i + ".test")
                .weight(weight)
                .priority(i % 2)
                .zone("z" + i / 2 % 2)
                .build();
    }

    private static String id(int i) {
        return i + ".test:80";
    }
}
