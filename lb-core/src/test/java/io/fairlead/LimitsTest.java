package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.fairlead.health.CircuitBreaker;
import io.fairlead.limit.AdaptiveLimit;
import io.fairlead.limit.Limits;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How many requests may be under way, and that each way to end one gives its place back. */
final class LimitsTest {
    private final ManualScheduler time = new ManualScheduler();
    private LoadBalancer balancer = LoadBalancer.builder("none").scheduler(time).build();

    @AfterEach
    void close() {
        balancer.close();
    }

    static List<String> strategies() {
        return io.fairlead.strategy.Strategies.names();
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void everyServerIsFilledToItsLimitAndNoneBeyond(String strategy) {
        start(20, builder -> builder.strategy(strategy).limits(Limits.NONE.withMaxInFlightPerServer(3)));
        List<Pick> picks = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            picks.add(balancer.pick(RequestFacts.NONE));
        }
        for (EndpointSnapshot each : balancer.snapshot().endpoints()) {
            assertThat(each.inFlight()).as(each.id()).isEqualTo(3);
        }
        assertThat(balancer.isFull()).isTrue();
        assertRefused();
        picks.remove(17).success();
        assertThat(balancer.isFull()).isFalse();
        picks.add(balancer.pick(RequestFacts.NONE));
        picks.forEach(Pick::success);
        assertNothingInFlight();
    }

    @Test
    void aBackupIsUsedWhenTheOthersAreFull() {
        start(
                2,
                builder -> builder.limits(Limits.NONE.withMaxInFlightPerServer(1))
                        .endpoint(Endpoint.builder("http://spare").backup(true).build()));
        balancer.pick(RequestFacts.NONE);
        balancer.pick(RequestFacts.NONE);
        assertThat(balancer.pick(RequestFacts.NONE).endpoint().id()).isEqualTo("spare:80");
        assertRefused();
    }

    @Test
    void aRetryFindsNoRoomWhereTheOtherServerIsFull() {
        start(2, builder -> builder.limits(Limits.NONE.withMaxInFlightPerServer(1)));
        Pick one = balancer.pick(RequestFacts.NONE);
        Pick other = balancer.pick(RequestFacts.NONE);
        one.failure(new IOException("broken"));
        Tried tried = Tried.create();
        tried.add(one.endpoint().id());
        assertThat(balancer.tryPick(RequestFacts.NONE, tried)).isNull();
        other.success();
        assertThat(balancer.tryPick(RequestFacts.NONE, tried)).isNotNull();
    }

    @Test
    void theServiceHasALimitOfItsOwn() {
        start(10, builder -> builder.limits(Limits.NONE.withMaxInFlight(3)));
        List<Pick> picks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            picks.add(balancer.pick(RequestFacts.NONE));
        }
        assertRefused();
        picks.get(0).cancel();
        picks.get(0).success();
        picks.set(0, balancer.pick(RequestFacts.NONE));
        assertRefused();
        picks.forEach(Pick::success);
        assertNothingInFlight();
    }

    @Test
    void aPickThatComesToNothingTakesNoPlaceOfTheService() {
        start(1, builder -> builder.limits(Limits.NONE.withMaxInFlight(1)));
        balancer.fence("s0:80");
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> balancer.pick(RequestFacts.NONE))
                    .isInstanceOfSatisfying(
                            NoEndpointException.class,
                            e -> assertThat(e.isOverloaded()).isFalse());
        }
        balancer.unfence("s0:80");
        balancer.pick(RequestFacts.NONE).success();
        assertNothingInFlight();
    }

    @Test
    void everyWayToEndGivesThePlaceBack() {
        start(
                1,
                builder -> builder.limits(Limits.NONE.withMaxInFlight(1).withMaxInFlightPerServer(1))
                        .adaptiveLimit(AdaptiveLimit.builder().build())
                        .circuitBreaker(
                                CircuitBreaker.builder().minRequests(1000).build()));
        List<Outcome> ends = Arrays.asList(
                Outcome.success(),
                Outcome.status(500),
                Outcome.status(503),
                Outcome.connectFailed(new IOException()),
                Outcome.broken(new IOException()),
                Outcome.timedOut(null),
                Outcome.stale(),
                Outcome.cancelled());
        for (Outcome end : ends) {
            for (boolean answered : new boolean[] {false, true}) {
                Pick pick = balancer.pick(RequestFacts.NONE);
                assertRefused();
                if (answered) {
                    pick.responded(200);
                    pick.responded(200);
                }
                pick.done(end);
                pick.success();
                pick.cancel();
                assertNothingInFlight();
            }
        }
        balancer.pick(RequestFacts.NONE);
        assertRefused();
    }

    @Test
    void aServerThatLeavesMeanwhileGivesThePlaceOfTheServiceBack() {
        start(2, builder -> builder.limits(Limits.NONE.withMaxInFlight(2)));
        Pick one = balancer.pick(RequestFacts.NONE);
        balancer.remove(one.endpoint().id());
        one.failure(new IOException("gone"));
        Pick two = balancer.pick(RequestFacts.NONE);
        Pick three = balancer.pick(RequestFacts.NONE);
        assertRefused();
        two.success();
        three.success();
        assertNothingInFlight();
    }

    @Test
    void aReloadChangesLimitsAndKeepsTheCount() {
        LoadBalancerBuilder builder = start(2, b -> b.limits(Limits.NONE.withMaxInFlight(2)));
        EndpointLoadBalancer own = (EndpointLoadBalancer) balancer;
        List<Pick> picks = new ArrayList<>(Arrays.asList(own.pick(RequestFacts.NONE), own.pick(RequestFacts.NONE)));
        own.reconfigure(builder.limits(Limits.NONE));
        picks.add(own.pick(RequestFacts.NONE));
        own.reconfigure(builder.limits(Limits.NONE.withMaxInFlight(3)));
        assertRefused();
        picks.forEach(Pick::success);
        for (int i = 0; i < 3; i++) {
            own.pick(RequestFacts.NONE);
        }
        assertRefused();
    }

    @Test
    void aLearntLimitFallsWithFailuresAndRisesWithAnswers() {
        start(
                1,
                builder -> builder.adaptiveLimit(
                        AdaptiveLimit.builder().initial(4).backoff(0.5).min(1).build()));
        assertThat(fill()).isEqualTo(4);
        time.advanceMillis(1);
        balancer.pick(RequestFacts.NONE).done(Outcome.status(503));
        assertThat(fill()).isEqualTo(2);
        assertThat(balancer.snapshot().endpoint("s0:80").learntLimit()).isEqualTo(2);
        for (int i = 0; i < 3; i++) {
            Pick one = balancer.pick(RequestFacts.NONE);
            Pick two = balancer.pick(RequestFacts.NONE);
            one.responded(200);
            one.success();
            two.success();
        }
        assertThat(fill()).isEqualTo(3);
    }

    @Test
    void withoutLimitsAPickAllocatesNothingButItself() {
        start(10, builder -> builder.strategy("p2c"));
        long free = bytesOfAPick();
        start(
                10,
                builder -> builder.strategy("p2c")
                        .limits(Limits.NONE.withMaxInFlightPerServer(1000).withMaxInFlight(1000)));
        assertThat(bytesOfAPick())
                .as("and with limits that are not reached nothing more")
                .isEqualTo(free);
        assertThat(free).isLessThanOrEqualTo(48);
    }

    @Test
    void threadsNeverExceedALimitOrTheProbes() throws Exception {
        int threads = 4;
        start(
                3,
                builder -> builder.strategy("p2c")
                        .limits(Limits.NONE.withMaxInFlight(5).withMaxInFlightPerServer(2)));
        AtomicInteger all = new AtomicInteger();
        AtomicInteger[] each = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        AtomicInteger most = new AtomicInteger();
        AtomicInteger mostOfOne = new AtomicInteger();
        // One thread reaches the limits for certain; the others, which may or may not, must not pass them.
        List<Pick> full = new ArrayList<>();
        for (Pick pick = balancer.tryPick(RequestFacts.NONE, Tried.NONE);
                pick != null;
                pick = balancer.tryPick(RequestFacts.NONE, Tried.NONE)) {
            most.accumulateAndGet(all.incrementAndGet(), Math::max);
            mostOfOne.accumulateAndGet(each[index(pick)].incrementAndGet(), Math::max);
            full.add(pick);
        }
        endAll(full, all, each);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> work = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                work.add(pool.submit(() -> {
                    List<Pick> mine = new ArrayList<>();
                    for (int i = 0; i < 30_000; i++) {
                        Pick pick = balancer.tryPick(RequestFacts.NONE, Tried.NONE);
                        if (pick != null) {
                            most.accumulateAndGet(all.incrementAndGet(), Math::max);
                            mostOfOne.accumulateAndGet(each[index(pick)].incrementAndGet(), Math::max);
                            mine.add(pick);
                        }
                        if (pick == null || mine.size() > 2) {
                            endAll(mine, all, each);
                        }
                    }
                    endAll(mine, all, each);
                }));
            }
            for (Future<?> done : work) {
                done.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(most.get()).isEqualTo(5);
        assertThat(mostOfOne.get()).isEqualTo(2);
        assertNothingInFlight();
        assertThat(fill()).isEqualTo(5);
    }

    private static int index(Pick pick) {
        return pick.endpoint().id().charAt(1) - '0';
    }

    private static void endAll(List<Pick> picks, AtomicInteger all, AtomicInteger[] each) {
        for (Pick pick : picks) {
            all.decrementAndGet();
            each[index(pick)].decrementAndGet();
            switch (ThreadLocalRandom.current().nextInt(3)) {
                case 0:
                    pick.cancel();
                    break;
                case 1:
                    pick.done(Outcome.status(503));
                    break;
                default:
                    pick.success();
                    break;
            }
        }
        picks.clear();
    }

    private long bytesOfAPick() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        int picks = 20_000;
        long before = 0;
        for (int i = 0; i < 2 * picks; i++) {
            if (i == picks) {
                before = threads.getThreadAllocatedBytes(thread);
            }
            balancer.tryPick(RequestFacts.NONE, Tried.NONE).success();
        }
        return (threads.getThreadAllocatedBytes(thread) - before) / picks;
    }

    /** How many requests may be under way at once from nothing; all of them are ended again without a lesson. */
    private int fill() {
        List<Pick> picks = new ArrayList<>();
        for (Pick pick = next(); pick != null; pick = next()) {
            picks.add(pick);
        }
        picks.forEach(Pick::cancel);
        return picks.size();
    }

    private Pick next() {
        return balancer.tryPick(RequestFacts.NONE, Tried.NONE);
    }

    private void assertRefused() {
        assertThatThrownBy(() -> balancer.pick(RequestFacts.NONE))
                .isInstanceOfSatisfying(
                        NoEndpointException.class,
                        e -> assertThat(e.isOverloaded()).isTrue());
    }

    private void assertNothingInFlight() {
        assertThat(balancer.snapshot().endpoints())
                .allSatisfy(each -> assertThat(each.inFlight()).isZero());
    }

    private interface Setup {
        LoadBalancerBuilder apply(LoadBalancerBuilder builder);
    }

    private LoadBalancerBuilder start(int servers, Setup setup) {
        balancer.close();
        LoadBalancerBuilder builder = LoadBalancer.builder("orders").scheduler(time);
        for (int i = 0; i < servers; i++) {
            builder.endpoint("http://s" + i);
        }
        balancer = setup.apply(builder).build();
        return builder;
    }
}
