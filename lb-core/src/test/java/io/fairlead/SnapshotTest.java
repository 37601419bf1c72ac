package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.health.CheckState;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.ServiceSnapshot;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What can be seen of a service at one moment. */
final class SnapshotTest {
    private final ManualScheduler time = new ManualScheduler();

    @Test
    void aSnapshotTellsAllThatRequestsHaveTaught() {
        LoadBalancer orders = LoadBalancer.builder("orders")
                .endpoint("http://a", 3)
                .endpoint("http://b")
                .passiveHealthCheck(PassiveHealthCheck.builder()
                        .maxFailedAttempts(2)
                        .baseEjection(Duration.ofSeconds(40))
                        .build())
                .strategy("round-robin")
                .scheduler(time)
                .build();
        Pick answered = to("a:80", orders);
        time.advanceMillis(20);
        answered.success();
        Pick running = to("a:80", orders);
        to("b:80", orders).done(Outcome.connectFailed(new ConnectException("refused by the test")));
        time.advanceMillis(400);

        ServiceSnapshot seen = orders.snapshot();
        EndpointSnapshot a = seen.endpoint("a:80");
        EndpointSnapshot b = seen.endpoint("b:80");
        assertThat(seen.inFlight()).isEqualTo(1);
        assertThat(seen.failures()).isEqualTo(1);
        assertThat(seen.picks()).isEqualTo(a.picks() + b.picks());
        assertThat(a.latency()).isBetween(Duration.ofMillis(15), Duration.ofMillis(21));
        assertThat(a.effectiveWeight()).isEqualTo(3);
        assertThat(a.check()).isEqualTo(CheckState.UNCHECKED);
        assertThat(a.stateAge()).isEqualTo(Duration.ofMillis(420));
        assertThat(a.lastError()).isNull();
        assertThat(b.backoff()).isEqualTo(Duration.ofMillis(600));
        assertThat(b.consecutiveFailures()).isEqualTo(1);
        assertThat(b.lastError()).contains("refused by the test");

        time.advanceMillis(600);
        to("b:80", orders).done(Outcome.status(503));
        time.advanceMillis(10_000);
        EndpointSnapshot out = orders.snapshot().endpoint("b:80");
        assertThat(out.up()).isFalse();
        assertThat(out.ejected()).isTrue();
        assertThat(out.ejectedFor()).isEqualTo(Duration.ofSeconds(30));
        assertThat(out.ejections()).isEqualTo(1);
        assertThat(out.stateAge()).isEqualTo(Duration.ofSeconds(10));
        assertThat(b.up()).as("one that was taken before stays as it is").isTrue();
        running.success();
    }

    @Test
    void aSnapshotWaitsForNobody() throws Exception {
        CountDownLatch building = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Strategy wrr = Strategies.create("wrr", StrategyOptions.DEFAULT);
        LoadBalancer orders = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .strategy(new Strategy() {
                    @Override
                    public String name() {
                        return "slow to build";
                    }

                    @Override
                    public Picker picker(PickerContext context) {
                        if (context.candidates().size() > 1) {
                            building.countDown();
                            try {
                                release.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        }
                        return wrr.picker(context);
                    }
                })
                .scheduler(time)
                .build();
        Thread change = new Thread(() -> orders.add(Endpoint.of("http://b")));
        change.start();
        building.await();

        assertThat(orders.snapshot().endpoints()).hasSize(1);
        Pick pick = orders.pick(RequestFacts.NONE);
        pick.done(Outcome.status(503));
        assertThat(orders.snapshot().failures()).isEqualTo(1);
        release.countDown();
        change.join();
        assertThat(orders.snapshot().endpoints()).hasSize(2);
    }

    /** Picks until the server is the one. */
    private static Pick to(String id, LoadBalancer orders) {
        Pick pick = orders.pick(RequestFacts.NONE);
        while (!pick.endpoint().id().equals(id)) {
            pick.cancel();
            pick = orders.pick(RequestFacts.NONE);
        }
        return pick;
    }
}
