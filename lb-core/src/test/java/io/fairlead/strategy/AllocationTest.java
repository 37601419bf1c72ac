package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A first pick allocates nothing, in whatever mode the virtual machine runs it. */
class AllocationTest {
    private static final int PICKS = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static List<String> names() {
        return Strategies.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPickAllocatesNothing(String name) {
        assertThat(bytes(picker(name, StrategyOptions.DEFAULT, 50))).isLessThan(PICKS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-requests", "p2c", "leasttime", "peak-ewma"})
    void aPickOfSeveralChoicesAllocatesNothing(String name) {
        assertThat(bytes(picker(name, StrategyOptions.DEFAULT.withChoices(5), 50)))
                .isLessThan(PICKS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev"})
    void aPickWithinABoundAllocatesNothing(String name) {
        StrategyOptions options = StrategyOptions.DEFAULT.withBoundedLoad(1.1);
        assertThat(bytes(picker(name, options, 50))).isLessThan(PICKS);
        assertThat(bytes(picker(name, options, 500))).isLessThan(PICKS);
    }

    @Test
    void aServerThatFailsMakesWrrAllocateNothing() {
        List<TestCandidate> candidates = TestCandidate.of(5, 1, 1);
        Picker picker = Pickers.picker("wrr", candidates);
        candidates.get(0).recentFailures.set(2);
        assertThat(bytes(picker)).isLessThan(PICKS);
    }

    @Test
    void aKeyOfManyPartsAllocatesNothing() {
        RequestFacts request = new RequestFacts() {
            @Override
            public String path() {
                return "/naïve/日本";
            }

            @Override
            public String query() {
                return "a=1&user=42";
            }

            @Override
            public String host() {
                return "shop.example";
            }
        };
        for (HashFunction function : HashFunction.values()) {
            HashKey key =
                    HashKey.parse("v1-$host$request_uri-$arg_user-$http_none").hashedBy(function);
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            long sum = 0;
            for (int i = 0; i < PICKS; i++) {
                sum += key.hash(request);
            }
            long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            assertThat(after - before).isLessThan(PICKS);
            assertThat(sum).isEqualTo(PICKS * key.hash(request));
        }
    }

    private static Picker picker(String name, StrategyOptions options, int count) {
        int[] weights = new int[count];
        for (int i = 0; i < count; i++) {
            weights[i] = 1 + i % 3;
        }
        List<TestCandidate> candidates = TestCandidate.of(weights);
        for (int i = 0; i < count; i++) {
            candidates.get(i).inFlight.set(i % 4);
            candidates.get(i).latencyNanos = 1e6 * (1 + i % 5);
        }
        return Pickers.picker(Strategies.create(name, options), candidates, null);
    }

    /** Less than a byte a pick: what is left over is the reading itself. */
    private long bytes(Picker picker) {
        RequestFacts request = Pickers.from("192.0.2.7");
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < PICKS; i++) {
            if (picker.pick(request, Tried.NONE) == null) {
                throw new AssertionError("no server was picked");
            }
        }
        return threads.getThreadAllocatedBytes(thread) - before;
    }
}
