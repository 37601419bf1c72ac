package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.util.ConcurrentPool;
import org.eclipse.jetty.util.Pool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SelectorPoolsTest {
    private static final int MAX = 3;

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

    private void add(@Nullable String selector, String connection) {
        here.set(selector);
        pools.reserve().enable(connection, false);
    }

    private Pool.Entry<String> acquireAt(String selector) {
        here.set(selector);
        return pools.acquire();
    }
}
