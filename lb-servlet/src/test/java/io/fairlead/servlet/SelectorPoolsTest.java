package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.util.ConcurrentPool;
import org.eclipse.jetty.util.Pool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SelectorPoolsTest {
    private static final int MAX = 3;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final AtomicReference<@Nullable Object> here = new AtomicReference<>();
    private final Pool<String> pools =
            new SelectorPools<>(here::get, MAX, () -> new ConcurrentPool<>(ConcurrentPool.StrategyType.FIRST, MAX));

    @Test
    void aConnectionOfTheThreadsOwnSelectorIsPreferred() {
        add("a", "of a");
        add("b", "of b");

        assertThat(acquireAt("b").getPooled()).isEqualTo("of b");
        assertThat(acquireAt("a").getPooled()).isEqualTo("of a");
    }

    @Test
    void oneOfAnotherSelectorIsBetterThanNone() {
        add("a", "of a");
        add(null, "of none");

        assertThat(acquireAt("b").getPooled()).isIn("of a", "of none");
        assertThat(acquireAt("b").getPooled()).isIn("of a", "of none");
        assertThat(acquireAt("b")).isNull();
    }

    @Test
    void theLimitHoldsForAllSelectorsTogether() {
        add("a", "1");
        add("b", "2");
        add("a", "3");

        here.set("c");
        assertThat(pools.reserve()).isNull();
        assertThat(pools.size()).isEqualTo(MAX);
        assertThat(pools.getMaxSize()).isEqualTo(MAX);
        assertThat(acquireAt("a").remove()).isTrue();
        here.set("c");
        assertThat(pools.reserve()).isNotNull();
    }

    @Test
    void itCountsWhatIsInUseAndWhatIsIdleOfAllSelectors() {
        add("a", "1");
        add("b", "2");
        Pool.Entry<String> used = acquireAt("b");

        assertThat(pools.getInUseCount()).isOne();
        assertThat(pools.getIdleCount()).isOne();
        used.release();
        assertThat(pools.getIdleCount()).isEqualTo(2);
        assertThat(pools.stream().map(Pool.Entry::getPooled)).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void onceTerminatedItGivesAndTakesNoConnection() {
        add("a", "1");
        add("b", "2");

        assertThat(pools.terminate().stream().map(Pool.Entry::getPooled)).containsExactlyInAnyOrder("1", "2");

        assertThat(pools.isTerminated()).isTrue();
        assertThat(acquireAt("a")).isNull();
        assertThat(pools.reserve()).isNull();
        assertThat(pools.size()).isZero();
    }

    @Test
    void notOneMoreThanTheLimitIsReservedByManyAtOnce() throws Exception {
        int threads = 8;
        for (int round = 0; round < 200; round++) {
            ThreadLocal<String> mine = new ThreadLocal<>();
            Pool<String> few = new SelectorPools<>(
                    mine::get, MAX, () -> new ConcurrentPool<>(ConcurrentPool.StrategyType.FIRST, MAX));
            CyclicBarrier together = new CyclicBarrier(threads);
            List<CompletableFuture<Boolean>> reserved = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String selector = "selector " + i;
                reserved.add(CompletableFuture.supplyAsync(
                        () -> {
                            mine.set(selector);
                            await(together);
                            return few.reserve() != null;
                        },
                        executor));
            }
            int count = 0;
            for (CompletableFuture<Boolean> each : reserved) {
                count += each.get(5, TimeUnit.SECONDS) ? 1 : 0;
            }
            assertThat(count).isEqualTo(MAX);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        executor.shutdown();
    }

    private void add(@Nullable String selector, String connection) {
        here.set(selector);
        pools.reserve().enable(connection, false);
    }

    private Pool.Entry<String> acquireAt(String selector) {
        here.set(selector);
        return pools.acquire();
    }
}
