package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.compose.FailoverLoadBalancer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fencing at run time, and waiting for the requests that are under way. */
final class DrainTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LoadBalancer orders = LoadBalancer.builder("orders")
            .endpoint("http://a", 9)
            .endpoint("http://b")
            .strategy("priority")
            .build();

    @AfterEach
    void close() {
        threads.shutdownNow();
        orders.close();
    }

    @Test
    void aServerWithoutRequestsIsDrainedAtOnce() throws Exception {
        orders.fence("a:80");

        assertThat(orders.awaitDrained("a:80", Duration.ZERO)).isTrue();
        assertThat(orders.drained("a:80").toCompletableFuture()).isCompleted();
    }

    @Test
    void whoWaitsForEverIsTakenAtTheirWord() throws Exception {
        assertThat(orders.awaitDrained("a:80", ChronoUnit.FOREVER.getDuration()))
                .isTrue();
        assertThat(orders.awaitDrained("a:80", ChronoUnit.FOREVER.getDuration().negated()))
                .isTrue();
    }

    @Test
    void theLastRequestThatEndsDrainsHoweverItEnds() throws Exception {
        List<Pick> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            running.add(orders.pick(RequestFacts.NONE));
        }
        orders.fence("a:80");
        CompletableFuture<Void> drained = orders.drained("a:80").toCompletableFuture();
        Future<Boolean> waiting = threads.submit(() -> orders.awaitDrained("a:80", LONG));

        running.get(0).success();
        running.get(1).failure(new java.io.IOException("a failure of the test"));
        running.get(2).cancel();
        assertThat(orders.awaitDrained("a:80", Duration.ofMillis(1))).isFalse();
        assertThat(drained).isNotDone();
        running.get(3).done(Outcome.status(503));

        assertThat(drained).isCompleted();
        assertThat(waiting.get()).isTrue();
        assertThat(orders.pick(RequestFacts.NONE).endpoint().id()).isEqualTo("b:80");
    }

    @Test
    void aServerThatIsRemovedMeanwhileDrainsToo() {
        Pick running = orders.pick(RequestFacts.NONE);
        CompletableFuture<Void> drained = orders.drained("a:80").toCompletableFuture();
        orders.remove("a:80");
        assertThat(drained).isNotDone();
        running.success();

        assertThat(drained).isCompleted();
        assertThatThrownBy(() -> orders.awaitDrained("a:80", LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("service 'orders' has no server with the id 'a:80'");
    }

    @Test
    void aCallbackThatFailsOrAStageThatIsCompletedByOthersHarmsNobody() throws Exception {
        Pick running = orders.pick(RequestFacts.NONE);
        CompletableFuture<Void> failing = orders.drained("a:80")
                .thenRun(() -> {
                    throw new IllegalStateException("a callback of the test");
                })
                .toCompletableFuture();
        orders.drained("a:80").toCompletableFuture().complete(null);
        assertThat(orders.awaitDrained("a:80", Duration.ZERO)).isFalse();
        running.success();

        assertThat(failing).isCompletedExceptionally();
        assertThat(orders.awaitDrained("a:80", Duration.ZERO)).isTrue();
        assertThat(orders.snapshot().inFlight()).isZero();
    }

    @Test
    void waitingCanBeInterrupted() throws Exception {
        Pick running = orders.pick(RequestFacts.NONE);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                orders.awaitDrained("a:80", LONG);
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        waiting.interrupt();
        waiting.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        running.success();
    }

    @Test
    void aServiceOfServicesDrainsWhatItsPartsHave() throws Exception {
        try (LoadBalancer spare =
                LoadBalancer.builder("spare").endpoint("http://s").build()) {
            LoadBalancer both = new FailoverLoadBalancer("both", orders, spare, Ticker.system());
            Pick running = both.pick(RequestFacts.NONE);

            assertThat(both.awaitDrained("a:80", Duration.ZERO)).isFalse();
            assertThat(both.awaitDrained("s:80", Duration.ZERO)).isTrue();
            assertThatThrownBy(() -> both.drained("c:80")).isInstanceOf(IllegalArgumentException.class);
            running.success();
            assertThat(both.awaitDrained("a:80", Duration.ZERO)).isTrue();
        }
    }

    /** What an operator does: fences, waits, takes the machine away. No pick that ends up there may follow on the wait. */
    @Test
    void underLoadAServerThatHasDrainedIsNeverPickedBeforeItIsUnfenced() throws Exception {
        AtomicBoolean gone = new AtomicBoolean();
        AtomicBoolean end = new AtomicBoolean();
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger toA = new AtomicInteger();
        List<Future<?>> load = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            load.add(threads.submit(() -> {
                while (!end.get()) {
                    Pick pick = orders.pick(RequestFacts.NONE);
                    if (pick.endpoint().id().equals("a:80")) {
                        toA.incrementAndGet();
                        wrong.addAndGet(gone.get() ? 1 : 0);
                    }
                    pick.success();
                }
            }));
        }
        for (int round = 0; round < 100; round++) {
            int before = toA.get();
            orders.fence("a:80");
            assertThat(orders.awaitDrained("a:80", LONG)).isTrue();
            gone.set(true);
            LockSupport.parkNanos(10_000);
            gone.set(false);
            orders.unfence("a:80");
            while (toA.get() == before) {
                LockSupport.parkNanos(10_000);
            }
        }
        end.set(true);
        for (Future<?> each : load) {
            each.get();
        }

        assertThat(wrong).hasValue(0);
        assertThat(orders.snapshot().inFlight()).isZero();
        assertThat(orders.snapshot().picks()).isGreaterThanOrEqualTo(toA.get());
    }
}
