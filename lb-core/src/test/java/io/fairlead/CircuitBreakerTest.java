package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.health.Breaker;
import io.fairlead.health.CircuitBreaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server's circuit breaker does to the picks of its service. */
final class CircuitBreakerTest {
    private final ManualScheduler time = new ManualScheduler();
    private final LoadBalancerBuilder builder = LoadBalancer.builder("orders")
            .endpoint("http://a")
            .endpoint("http://b")
            .strategy("round-robin")
            .scheduler(time)
            .circuitBreaker(CircuitBreaker.builder()
                    .minRequests(4)
                    .openDuration(Duration.ofSeconds(10))
                    .probes(1)
                    .requiredSuccesses(2)
                    .build());
    private LoadBalancer balancer = builder.build();

    @AfterEach
    void close() {
        balancer.close();
        assertThat(time.waiting()).as("timers that are left").isZero();
    }

    @Test
    void anOpenServerGetsNothingAndAHalfOpenOneItsProbesOnly() {
        assertThat(balancer.snapshot().endpoint("a:80").circuit()).isEqualTo(Breaker.State.CLOSED);
        open("a:80");
        assertThat(balancer.snapshot().endpoint("a:80").circuit()).isEqualTo(Breaker.State.OPEN);
        assertThat(picked(4)).containsOnly("b:80");
        time.advanceMillis(9_999);
        assertThat(picked(4)).containsOnly("b:80");
        time.advanceMillis(1);
        Pick probe = pickOf("a:80");
        assertThat(picked(6)).as("while the probe is under way").containsOnly("b:80");
        probe.success();
        pickOf("a:80").success();
        assertThat(picked(4)).as("closed").contains("a:80", "b:80");
        List<Pick> many = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            many.add(balancer.pick(RequestFacts.NONE));
        }
        assertThat(inFlight("a:80")).isEqualTo(5);
        many.forEach(Pick::success);
        assertThat(inFlight("a:80")).isZero();
    }

    @Test
    void itIsKnownWhenTheFirstOfThemIsTriedAgain() {
        assertThat(balancer.nanosToNextServer()).isNegative();
        open("a:80");
        time.advanceMillis(3_000);
        open("b:80");
        assertThat(balancer.nanosToNextServer()).isEqualTo(Duration.ofSeconds(7).toNanos());
        time.advanceMillis(7_000);
        pickOf("a:80").success();
        assertThat(balancer.nanosToNextServer()).isEqualTo(Duration.ofSeconds(3).toNanos());
    }

    @Test
    void aFailedProbeOpensItAgainForTwiceAsLong() {
        open("a:80");
        time.advanceMillis(10_000);
        pickOf("a:80").done(Outcome.status(503));
        time.advanceMillis(19_999);
        assertThat(picked(4)).containsOnly("b:80");
        time.advanceMillis(1);
        assertThat(picked(4)).contains("a:80");
    }

    @Test
    void aCancelledProbeGivesItsPlaceBack() {
        open("a:80");
        time.advanceMillis(10_000);
        for (int i = 0; i < 5; i++) {
            pickOf("a:80").cancel();
            pickOf("a:80").done(Outcome.stale());
        }
        pickOf("a:80").success();
        pickOf("a:80").success();
        assertThat(picked(4)).contains("a:80");
    }

    @Test
    void aServiceWhoseCircuitsAreAllOpenHasNoServer() {
        open("a:80");
        open("b:80");
        assertThat(balancer.isUp()).isFalse();
        assertThat(balancer.tryPick(RequestFacts.NONE, Tried.NONE)).isNull();
        assertThat(balancer.isFull()).as("that is no matter of limits").isFalse();
        time.advanceMillis(10_000);
        Pick one = balancer.pick(RequestFacts.NONE);
        Pick other = balancer.pick(RequestFacts.NONE);
        assertThat(balancer.tryPick(RequestFacts.NONE, Tried.NONE))
                .as("both are being probed")
                .isNull();
        assertThat(balancer.isFull()).isTrue();
        one.success();
        other.success();
    }

    @Test
    void whatWasUnderWayWhenItOpenedDecidesNothing() {
        Pick old = pickOf("a:80");
        Pick alsoOld = pickOf("a:80");
        open("a:80");
        old.success();
        assertThat(picked(4)).containsOnly("b:80");
        time.advanceMillis(10_000);
        alsoOld.done(Outcome.status(503));
        pickOf("a:80").success();
        pickOf("a:80").success();
        assertThat(picked(4)).contains("a:80");
        assertThat(inFlight("a:80")).isZero();
    }

    @Test
    void anErrorOfTheApplicationIsNoFailure() {
        for (int i = 0; i < 20; i++) {
            pickOf("a:80").done(Outcome.status(500));
        }
        assertThat(picked(4)).contains("a:80");
    }

    @Test
    void aServerThatLeftWhileItsCircuitWasOpenBeginsAnew() {
        open("a:80");
        balancer.remove("a:80");
        balancer.add(Endpoint.of("http://a"));
        assertThat(picked(4)).contains("a:80");
    }

    @Test
    void aReloadWithTheSameSettingsKeepsItOpenAndOneWithoutClosesIt() {
        open("a:80");
        ((EndpointLoadBalancer) balancer).reconfigure(builder);
        assertThat(picked(4)).containsOnly("b:80");
        ((EndpointLoadBalancer) balancer).reconfigure(builder.circuitBreaker(null));
        assertThat(picked(4)).contains("a:80");
    }

    @Test
    void withoutSettingsThereIsNone() {
        balancer.close();
        balancer = builder.circuitBreaker(null).build();
        for (int i = 0; i < 100; i++) {
            pickOf("a:80").done(Outcome.status(503));
        }
        assertThat(picked(4)).contains("a:80");
    }

    private void open(String id) {
        for (int i = 0; i < 4; i++) {
            pickOf(id).done(Outcome.status(503));
        }
    }

    private int inFlight(String id) {
        return balancer.snapshot().endpoint(id).inFlight();
    }

    private Set<String> picked(int count) {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < count; i++) {
            Pick pick = balancer.pick(RequestFacts.NONE);
            ids.add(pick.endpoint().id());
            pick.cancel();
        }
        return ids;
    }

    private Pick pickOf(String id) {
        Tried other = Tried.create();
        other.add(id.equals("a:80") ? "b:80" : "a:80");
        Pick pick = balancer.tryPick(RequestFacts.NONE, other);
        assertThat(pick).as(id).isNotNull();
        return pick;
    }
}
