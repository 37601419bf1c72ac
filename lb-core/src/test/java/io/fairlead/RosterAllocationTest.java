package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fairlead.health.SlowStart;
import io.fairlead.strategy.Strategies;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A first pick from a roster allocates nothing, in whatever mode the virtual machine runs it. */
final class RosterAllocationTest {
    private static final int PICKS = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ManualScheduler time = new ManualScheduler();

    static List<String> names() {
        return Strategies.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPickAllocatesNothing(String strategy) {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders").strategy(strategy);
        for (int i = 0; i < 20; i++) {
            builder.endpoint("http://s" + i, 1 + i % 3);
        }
        assertThat(bytes(builder, false)).isLessThan(PICKS);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPickThatIsSharedBetweenLevelsAndZonesWhileServersWarmUpAllocatesNothing(String strategy) {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders")
                .strategy(strategy)
                .slowStart(SlowStart.of(Duration.ofSeconds(30)))
                .zones(ZonePreference.of("z0"));
        for (int i = 0; i < 20; i++) {
            builder.endpoint(Endpoint.builder("http://s" + i)
                    .priority(i % 2)
                    .zone("z" + i / 2 % 2)
                    .build());
        }
        assertThat(bytes(builder, true)).isLessThan(PICKS);
    }

    /** Less than a byte a pick: what is left over is the reading itself. */
    private long bytes(LoadBalancerBuilder builder, boolean failing) {
        try (LoadBalancer balancer = builder.scheduler(time).build()) {
            EndpointLoadBalancer own = (EndpointLoadBalancer) balancer;
            if (failing) {
                for (int i = 0; i < 16; i += 2) {
                    Node node = own.roster().nodes.get("s" + i + ":80");
                    Requests.begin(own, node, time.nanoTime()).done(Outcome.connectFailed(null));
                }
                balancer.add(Endpoint.builder("http://new").zone("z0").build());
            }
            Roster roster = own.roster();
            long thread = Thread.currentThread().getId();
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < PICKS; i++) {
                if (roster.pick(RequestFacts.NONE, Tried.NONE) == null) {
                    throw new AssertionError("no server was picked");
                }
            }
            return threads.getThreadAllocatedBytes(thread) - before;
        }
    }
}
