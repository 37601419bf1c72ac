package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.compose.FailoverLoadBalancer;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.health.Verdict;
import io.fairlead.observe.StateChange;
import io.fairlead.observe.StateListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class StateListenerTest {
    private final Set<String> ill = ConcurrentHashMap.newKeySet();
    private final ManualScheduler time = new ManualScheduler();
    private final List<String> heard = new ArrayList<>();

    @Test
    void aServiceAndItsServersAreHeardInTheOrderOfTheChanges() {
        LoadBalancer orders = orders();
        orders.addListener(hear());
        ill.add("a:80");
        time.advanceMillis(30_000);
        ill.add("b:80");
        time.advanceMillis(30_000);
        ill.clear();
        time.advanceMillis(30_000);

        assertThat(heard)
                .containsExactly(
                        "orders a:80 ENDPOINT_DOWN (ill)",
                        "orders b:80 ENDPOINT_DOWN (ill)",
                        "orders SERVICE_DOWN",
                        "orders a:80 ENDPOINT_UP",
                        "orders SERVICE_UP",
                        "orders b:80 ENDPOINT_UP");
    }

    @Test
    void nothingIsHeardWhileNothingChanges() {
        LoadBalancer orders = orders();
        orders.addListener(hear());
        time.advanceMillis(60_000);
        orders.fence("a:80");
        orders.fence("a:80");
        orders.add(Endpoint.of("http://a", 7));
        orders.pick(RequestFacts.NONE).success();
        orders.unfence("a:80");

        assertThat(heard).containsExactly("orders a:80 ENDPOINT_FENCED", "orders a:80 ENDPOINT_UNFENCED");
    }

    @Test
    void anEjectionIsHeardAndItsEnd() {
        LoadBalancer orders = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .endpoint("http://b")
                .passiveHealthCheck(
                        PassiveHealthCheck.builder().maxFailedAttempts(1).build())
                .scheduler(time)
                .build();
        orders.addListener(hear());
        orders.pick(RequestFacts.NONE).done(Outcome.status(503));
        time.advanceMillis(31_000);

        assertThat(heard).hasSize(2);
        assertThat(heard.get(0)).startsWith("orders a:80 ENDPOINT_EJECTED (").contains("503");
        assertThat(heard.get(1)).isEqualTo("orders a:80 ENDPOINT_RETURNED");
    }

    @Test
    void aListenerThatFailsHarmsNobodyAndInFlightReturnsToZero() {
        AtomicInteger calls = new AtomicInteger();
        LoadBalancer orders = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .endpoint("http://b")
                .passiveHealthCheck(
                        PassiveHealthCheck.builder().maxFailedAttempts(1).build())
                .scheduler(time)
                .build();
        orders.addListener(change -> {
            calls.incrementAndGet();
            throw new IllegalStateException("a listener of the test");
        });
        orders.addListener(change -> {
            calls.incrementAndGet();
            throw new AssertionError("a listener of the test");
        });
        orders.addListener(hear());
        orders.pick(RequestFacts.NONE).done(Outcome.status(503));
        time.advanceMillis(31_000);

        assertThat(heard).hasSize(2);
        assertThat(calls).hasValue(4);
        assertThat(orders.snapshot().inFlight()).isZero();
    }

    @Test
    void aListenerMayCallTheLoadBalancerAndAllHearItsChangesAfterwards() {
        LoadBalancer orders = orders();
        orders.addListener(change -> {
            if (change.kind() == StateChange.Kind.ENDPOINT_FENCED) {
                orders.unfence("a:80");
            }
        });
        orders.addListener(hear());
        orders.fence("a:80");

        assertThat(heard).containsExactly("orders a:80 ENDPOINT_FENCED", "orders a:80 ENDPOINT_UNFENCED");
        assertThat(orders.snapshot().endpoint("a:80").fenced()).isFalse();
    }

    @Test
    void listenersAreNeverCalledUnderTheLock() throws Exception {
        LoadBalancer orders = orders();
        CountDownLatch through = new CountDownLatch(1);
        orders.addListener(change -> {
            Thread other = new Thread(() -> {
                orders.add(Endpoint.of("http://c"));
                through.countDown();
            });
            other.start();
            try {
                other.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        orders.fence("a:80");

        assertThat(through.getCount())
                .as("another thread changed the list meanwhile")
                .isZero();
    }

    @Test
    void aListenerThatWasTakenBackHearsNothing() {
        LoadBalancer orders = orders();
        StateListener listener = hear();
        orders.addListener(listener);
        orders.removeListener(listener);
        orders.fence("a:80");

        assertThat(heard).isEmpty();
    }

    @Test
    void aServiceOfServicesIsUpWhileOneOfItsPartsIsAndItsListenersHearOnlyThat() {
        LoadBalancer main = single("main", "http://m");
        LoadBalancer spare = single("spare", "http://s");
        LoadBalancer both = new FailoverLoadBalancer("both", main, spare, time);
        LoadBalancer outer = new FailoverLoadBalancer("outer", both, spare, time);
        outer.addListener(hear());
        both.addListener(change -> assertThat(both.isUp()).isEqualTo(change.kind() == StateChange.Kind.SERVICE_UP));
        both.addListener(hear());

        main.fence("m:80");
        assertThat(heard).as("the spare is up").isEmpty();
        spare.fence("s:80");
        assertThat(heard).containsExactlyInAnyOrder("both SERVICE_DOWN", "outer SERVICE_DOWN");
        heard.clear();
        spare.unfence("s:80");
        assertThat(heard).containsExactlyInAnyOrder("both SERVICE_UP", "outer SERVICE_UP");
        heard.clear();
        main.unfence("m:80");
        both.close();
        main.fence("m:80");
        spare.fence("s:80");
        assertThat(heard).as("one that is closed follows no more").containsExactly("outer SERVICE_DOWN");
    }

    @Test
    void underLoadEveryListenerHearsEachChangeOnceAndInOrder() throws Exception {
        LoadBalancer orders = orders();
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        orders.addListener(change -> first.add(change.toString()));
        orders.addListener(change -> second.add(change.toString()));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int j = 0; j < 1_000; j++) {
                    orders.fence("a:80");
                    orders.unfence("a:80");
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(second).isEqualTo(first);
        assertThat(first.size()).isEven().isGreaterThanOrEqualTo(2);
        for (int i = 0; i < first.size(); i++) {
            assertThat(first.get(i)).endsWith(i % 2 == 0 ? "_FENCED" : "_UNFENCED");
        }
    }

    private StateListener hear() {
        return change -> heard.add(change.toString());
    }

    private LoadBalancer single(String name, String url) {
        return LoadBalancer.builder(name).endpoint(url).scheduler(time).build();
    }

    private LoadBalancer orders() {
        return LoadBalancer.builder("orders")
                .endpoint("http://a")
                .endpoint("http://b")
                .healthCheck(HealthCheck.builder().jitter(0).build())
                .scheduler(new ProbingScheduler(
                        time,
                        (endpoint, check, slow, done) ->
                                done.accept(ill.contains(endpoint.id()) ? Verdict.failed("ill") : Verdict.PASSED)))
                .build();
    }
}
