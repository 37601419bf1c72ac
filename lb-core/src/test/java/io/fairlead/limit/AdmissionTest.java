package io.fairlead.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancer;
import io.fairlead.ManualScheduler;
import io.fairlead.NoEndpointException;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Scheduler;
import io.fairlead.Tried;
import io.fairlead.compose.FailoverLoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who waits for a place at a server, in which order, and how long. */
final class AdmissionTest {
    private final ManualScheduler time = new ManualScheduler();
    private final List<String> told = new ArrayList<>();
    private final List<Pick> admitted = new ArrayList<>();
    private LoadBalancer balancer = balancer(2);

    @AfterEach
    void close() {
        balancer.close();
    }

    @Test
    void whoComesFirstIsServedFirst() {
        Pick running = balancer.pick(RequestFacts.NONE);
        assertThat(enter("one")).isNotNull();
        assertThat(enter("two")).isNotNull();
        assertThat(told).isEmpty();
        running.success();
        assertThat(told).containsExactly("one admitted");
        admitted.get(0).cancel();
        assertThat(told).containsExactly("one admitted", "two admitted");
        admitted.get(1).cancel();
        assertNothingInFlight();
        assertThat(time.waiting()).as("timers that are left").isZero();
    }

    @Test
    void whoFindsAPlaceDoesNotWait() {
        assertThat(enter("one")).isNull();
        assertThat(told).containsExactly("one admitted");
    }

    @Test
    void theLineIsBounded() {
        balancer.pick(RequestFacts.NONE);
        enter("one");
        enter("two");
        assertThatThrownBy(() -> enter("three"))
                .isInstanceOfSatisfying(
                        NoEndpointException.class,
                        e -> assertThat(e.isOverloaded()).isTrue());
        assertThat(told).isEmpty();
    }

    @Test
    void withoutALineOneIsRefusedAtOnce() {
        balancer.close();
        balancer = balancer(0);
        balancer.pick(RequestFacts.NONE);
        assertThat(balancer.waitingLine()).isNull();
        assertThatThrownBy(() -> enter("one")).isInstanceOf(NoEndpointException.class);
    }

    @Test
    void whoHasWaitedTooLongIsRefused() {
        Pick running = balancer.pick(RequestFacts.NONE);
        enter("one");
        time.advanceMillis(499);
        enter("two");
        assertThat(told).isEmpty();
        time.advanceMillis(1);
        assertThat(told).containsExactly("one refused, overloaded");
        running.success();
        assertThat(told).containsExactly("one refused, overloaded", "two admitted");
        time.advanceMillis(10_000);
        assertThat(told).hasSize(2);
    }

    @Test
    void whoLeavesIsPassedOverAndNotTold() {
        Pick running = balancer.pick(RequestFacts.NONE);
        WaitingLine.Ticket one = enter("one");
        enter("two");
        assertThat(one.leave()).isTrue();
        assertThat(one.leave()).isFalse();
        running.success();
        assertThat(told).containsExactly("two admitted");
        assertThat(balancer.waitingLine().size()).isZero();
    }

    @Test
    void whoComesWhileOthersWaitGoesBehindThem() {
        Pick running = balancer.pick(RequestFacts.NONE);
        enter("one");
        enter("two");
        running.success();
        assertThat(enter("three")).isNotNull();
        assertThat(told).containsExactly("one admitted");
    }

    @Test
    void aNewServerIsAPlaceToo() {
        balancer.pick(RequestFacts.NONE);
        enter("one");
        balancer.add(io.fairlead.Endpoint.of("http://b"));
        time.advanceMillis(0);
        assertThat(told).containsExactly("one admitted");
    }

    @Test
    void whereNoServerCanBeUsedAnyMoreNobodyWaits() {
        balancer.pick(RequestFacts.NONE);
        enter("one");
        balancer.fence("a:80");
        time.advanceMillis(0);
        assertThat(told).containsExactly("one refused, down");
        assertThatThrownBy(() -> enter("two"))
                .isInstanceOfSatisfying(
                        NoEndpointException.class,
                        e -> assertThat(e.isOverloaded()).isFalse());
    }

    @Test
    void aServiceThatIsClosedRefusesThoseWhoWait() {
        balancer.pick(RequestFacts.NONE);
        enter("one");
        balancer.close();
        assertThat(told).containsExactly("one refused, down");
    }

    @Test
    void aPlaceThatIsGivenBackWhileOneIsToldGoesOnToTheNextWithoutRecursion() {
        balancer.close();
        balancer = balancer(20_000);
        Pick running = balancer.pick(RequestFacts.NONE);
        AtomicInteger depth = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        AtomicInteger count = new AtomicInteger();
        for (int i = 0; i < 20_000; i++) {
            Admission.enter(balancer, RequestFacts.NONE, new Entrant() {
                @Override
                public void admitted(Pick pick) {
                    deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
                    count.incrementAndGet();
                    pick.cancel();
                    depth.decrementAndGet();
                }

                @Override
                public void refused(NoEndpointException why) {
                    throw new AssertionError(why);
                }
            });
        }
        running.success();
        assertThat(count.get()).isEqualTo(20_000);
        assertThat(deepest.get()).isEqualTo(1);
        assertNothingInFlight();
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
    void whatWhoIsToldThrowsCostsNoPlace(Class<? extends Throwable> thrown) {
        Pick running = balancer.pick(RequestFacts.NONE);
        Admission.enter(balancer, RequestFacts.NONE, new Entrant() {
            @Override
            public void admitted(Pick pick) {
                if (thrown == AssertionError.class) {
                    throw new AssertionError("a bug of the caller");
                }
                throw new IllegalStateException("a bug of the caller");
            }

            @Override
            public void refused(NoEndpointException why) {}
        });
        enter("two");
        running.success();
        assertThat(told).containsExactly("two admitted");
        admitted.get(0).success();
        assertNothingInFlight();
    }

    @Test
    void aServiceMadeOfServicesWaitsWhereItsPartsAreFull() {
        LoadBalancer spare = LoadBalancer.builder("spare")
                .endpoint("http://spare")
                .limits(Limits.NONE.withMaxInFlightPerServer(1))
                .scheduler(time)
                .build();
        LoadBalancer both = new FailoverLoadBalancer("both", balancer, spare, time);
        Pick one = both.pick(RequestFacts.NONE);
        Pick two = both.pick(RequestFacts.NONE);
        assertThat(one.service()).isEqualTo("orders");
        assertThat(two.service())
                .as("a full service is as one that has no server")
                .isEqualTo("spare");
        Admission.enter(both, RequestFacts.NONE, named("one"));
        assertThat(told).isEmpty();
        one.success();
        assertThat(told).containsExactly("one admitted");
        spare.close();
    }

    @Test
    void aThreadWaitsForItsPlace() throws Exception {
        Pick running = balancer.pick(RequestFacts.NONE);
        Future<Pick> waiting = inThread(() -> false);
        await().until(() -> balancer.waitingLine().size() == 1);
        running.success();
        waiting.get().success();
        assertNothingInFlight();
    }

    @Test
    void aThreadWhoseRequestIsGivenUpStopsWaiting() {
        balancer.pick(RequestFacts.NONE);
        AtomicBoolean givenUp = new AtomicBoolean();
        Future<Pick> waiting = inThread(givenUp::get);
        await().until(() -> balancer.waitingLine().size() == 1);
        givenUp.set(true);
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(CancellationException.class);
        assertThat(balancer.waitingLine().size()).isZero();
    }

    @Test
    void aThreadThatIsInterruptedStopsWaiting() throws Exception {
        balancer.pick(RequestFacts.NONE);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                Admission.enter(balancer, RequestFacts.NONE, () -> false);
            } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
            }
        });
        thread.start();
        await().until(() -> balancer.waitingLine().size() == 1);
        thread.interrupt();
        thread.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(balancer.waitingLine().size()).isZero();
    }

    @Test
    void manyThreadsShareOnePlaceAndEachGetsIt() throws Exception {
        balancer.close();
        Scheduler real = Scheduler.system();
        balancer = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .limits(Limits.NONE.withMaxInFlight(1).withQueue(100).withQueueTimeout(Duration.ofMinutes(1)))
                .scheduler(real)
                .build();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                all.add(pool.submit(() -> {
                    for (int i = 0; i < 500; i++) {
                        Pick pick = Admission.enter(balancer, RequestFacts.NONE, () -> false);
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                        pick.success();
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
            real.close();
        }
        assertThat(most.get()).isEqualTo(1);
        assertThat(balancer.snapshot().endpoint("a:80").picks()).isEqualTo(4000);
        assertNothingInFlight();
    }

    private Future<Pick> inThread(java.util.function.BooleanSupplier isGivenUp) {
        ExecutorService one = Executors.newSingleThreadExecutor();
        Future<Pick> future = one.submit(() -> Admission.enter(balancer, RequestFacts.NONE, isGivenUp));
        one.shutdown();
        return future;
    }

    private WaitingLine.Ticket enter(String name) {
        return Admission.enter(balancer, RequestFacts.NONE, named(name));
    }

    private Entrant named(String name) {
        return new Entrant() {
            @Override
            public void admitted(Pick pick) {
                admitted.add(pick);
                told.add(name + " admitted");
            }

            @Override
            public void refused(NoEndpointException why) {
                told.add(name + " refused, " + (why.isOverloaded() ? "overloaded" : "down"));
            }
        };
    }

    private void assertNothingInFlight() {
        assertThat(balancer.snapshot().endpoints())
                .allSatisfy(each -> assertThat(each.inFlight()).isZero());
        assertThat(balancer.tryPick(RequestFacts.NONE, Tried.NONE)).isNotNull();
    }

    /** One server that takes one request at a time, and a line for so many. */
    private LoadBalancer balancer(int queue) {
        return LoadBalancer.builder("orders")
                .endpoint("http://a")
                .limits(Limits.NONE
                        .withMaxInFlightPerServer(1)
                        .withQueue(queue)
                        .withQueueTimeout(Duration.ofMillis(500)))
                .scheduler(time)
                .build();
    }
}
