package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategy;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LoadBalancerTest {
    private final ManualScheduler time = new ManualScheduler();
    private LoadBalancer balancer = build("http://a", "http://b", "http://c");

    @AfterEach
    void close() {
        balancer.close();
    }

    @Test
    void picksInTurnAndCounts() {
        assertThat(picks(6)).containsExactly("a:80", "b:80", "c:80", "a:80", "b:80", "c:80");
        assertThat(endpoint("a:80").picks()).isEqualTo(2);
        assertThat(endpoint("a:80").inFlight()).isZero();
        assertThat(balancer.snapshot().up()).isTrue();
    }

    @Test
    void countsARequestInFlightUntilItsFirstEndAndNeverTwice() {
        Pick pick = balancer.pick(RequestFacts.NONE);
        assertThat(endpoint("a:80").inFlight()).isEqualTo(1);
        pick.responded();
        assertThat(endpoint("a:80").inFlight()).isEqualTo(1);
        pick.cancel();
        pick.failure(new IOException("late"));
        pick.success();
        assertThat(endpoint("a:80").inFlight()).isZero();
        assertThat(endpoint("a:80").failures()).isZero();
    }

    @Test
    void countsFailuresAndKeepsTheLastError() {
        balancer.pick(RequestFacts.NONE).failure(new IOException("reset by peer"));
        balancer.pick(RequestFacts.NONE).done(Outcome.status(503));
        balancer.pick(RequestFacts.NONE).done(Outcome.status(500));
        assertThat(endpoint("a:80").failures()).isEqualTo(1);
        assertThat(endpoint("a:80").lastError()).contains("reset by peer");
        assertThat(endpoint("b:80").failures()).isEqualTo(1);
        assertThat(endpoint("b:80").lastError()).contains("503");
        assertThat(endpoint("c:80").failures()).isZero();
    }

    @Test
    void sendsNothingToAFencedServerUntilItIsUnfenced() {
        assertThat(balancer.fence("b:80")).isTrue();
        assertThat(picks(6)).doesNotContain("b:80");
        assertThat(endpoint("b:80").fenced()).isTrue();
        assertThat(balancer.unfence("b:80")).isTrue();
        assertThat(picks(6)).contains("b:80");
        assertThat(balancer.fence("nobody")).isFalse();
    }

    @Test
    void unfencesAServerThatTheConfigurationFences() {
        balancer.update(Collections.singletonList(
                Endpoint.builder("http://a").fenced(true).build()));
        assertThatThrownBy(() -> balancer.pick(RequestFacts.NONE))
                .isInstanceOf(NoEndpointException.class)
                .hasMessageContaining("orders");
        balancer.unfence("a:80");
        assertThat(picks(1)).containsExactly("a:80");
    }

    @Test
    void usesBackupsOnlyWhileNoOtherServerCanBeUsed() {
        balancer.add(Endpoint.builder("http://spare").backup(true).build());
        assertThat(picks(9)).doesNotContain("spare:80");
        balancer.fence("a:80");
        balancer.fence("b:80");
        balancer.fence("c:80");
        assertThat(picks(3)).containsOnly("spare:80");
    }

    @Test
    void goesToABackupWithinOneRequestWhenTheOthersHaveBeenTried() {
        balancer.add(Endpoint.builder("http://spare").backup(true).build());
        Tried tried = Tried.create();
        for (String id : Arrays.asList("a:80", "b:80", "c:80")) {
            tried.add(id);
        }
        assertThat(tryPick(tried)).isEqualTo("spare:80");
        tried.add("spare:80");
        assertThat(balancer.tryPick(RequestFacts.NONE, tried)).isNull();
    }

    @Test
    void leavesServersOfNoWeightOut() {
        balancer.update(
                Arrays.asList(Endpoint.of("http://a", 0), Endpoint.of("http://b", -3), Endpoint.of("http://c")));
        assertThat(picks(3)).containsOnly("c:80");
        balancer.update(Collections.singletonList(Endpoint.of("http://a", 0)));
        assertThat(balancer.isUp()).isFalse();
    }

    @Test
    void keepsTheStateOfAnIdAcrossUpdatesAndForgetsItWhenTheIdLeaves() {
        Pick running = balancer.pick(RequestFacts.NONE);
        balancer.update(Arrays.asList(Endpoint.of("http://a", 7), Endpoint.of("http://d")));
        assertThat(endpoint("a:80").inFlight()).isEqualTo(1);
        assertThat(balancer.remove("a:80")).isTrue();
        assertThat(balancer.remove("a:80")).isFalse();
        balancer.add(Endpoint.of("http://a"));
        assertThat(endpoint("a:80").inFlight()).isZero();
        running.success();
        assertThat(endpoint("a:80").inFlight()).isZero();
        assertThat(endpoint("a:80").picks()).isZero();
    }

    @Test
    void refusesTwoServersWithOneId() {
        assertThatThrownBy(() -> balancer.update(Arrays.asList(Endpoint.of("http://a"), Endpoint.of("http://a/x"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a:80");
        assertThat(picks(3)).containsExactly("a:80", "b:80", "c:80");
    }

    @Test
    void ejectsAServerAfterFailuresInARowAndTakesItBackInTime() {
        balancer = build(passive(3), "http://a", "http://b", "http://c");
        failTimes("a:80", 2);
        succeedOnce("a:80");
        failTimes("a:80", 2);
        assertThat(endpoint("a:80").ejected()).isFalse();
        failTimes("a:80", 1);
        assertThat(endpoint("a:80").ejected()).isTrue();
        assertThat(endpoint("a:80").up()).isFalse();
        assertThat(picks(6)).doesNotContain("a:80");
        time.advanceMillis(29_999);
        assertThat(picks(6)).doesNotContain("a:80");
        time.advanceMillis(1);
        assertThat(picks(6)).contains("a:80");
    }

    @Test
    void ejectsForLongerEachTimeAndForgetsInHealthyTime() {
        balancer = build(passive(1), "http://a", "http://b", "http://c");
        failTimes("a:80", 1);
        time.advanceMillis(30_000);
        failTimes("a:80", 1);
        time.advanceMillis(59_999);
        assertThat(endpoint("a:80").ejected()).isTrue();
        time.advanceMillis(1);
        assertThat(endpoint("a:80").ejected()).isFalse();
        time.advanceMillis(60_000);
        failTimes("a:80", 1);
        time.advanceMillis(30_000);
        assertThat(endpoint("a:80").ejected()).isFalse();
    }

    @Test
    void failuresThatAreFarApartDoNotEject() {
        balancer = build(passive(2), "http://a", "http://b", "http://c");
        failTimes("a:80", 1);
        time.advanceMillis(10_001);
        failTimes("a:80", 1);
        assertThat(endpoint("a:80").ejected()).isFalse();
    }

    @Test
    void ejectsNoMoreThanItsShare() {
        balancer = build(passive(1), "http://a", "http://b", "http://c");
        failTimes("a:80", 1);
        failTimes("b:80", 1);
        assertThat(endpoint("b:80").ejected())
                .as("one of three is at most 50 %%")
                .isFalse();
    }

    @Test
    void neverEjectsTheLastServer() {
        balancer = build(
                PassiveHealthCheck.builder()
                        .maxFailedAttempts(1)
                        .maxEjectedPercent(100)
                        .build(),
                "http://a",
                "http://b");
        failTimes("a:80", 1);
        failTimes("b:80", 1);
        assertThat(endpoint("a:80").ejected()).isTrue();
        assertThat(endpoint("b:80").ejected()).isFalse();
        assertThat(picks(2)).containsOnly("b:80");
    }

    @Test
    void usesAnEjectedServerWhenTheLastOtherOneGoesAway() {
        balancer = build(passive(1), "http://a", "http://b");
        failTimes("a:80", 1);
        balancer.fence("b:80");
        assertThat(picks(2)).containsOnly("a:80");
        balancer.unfence("b:80");
        assertThat(picks(2)).containsOnly("b:80");
    }

    @Test
    void aRefusedEjectionBeginsANewRunOfFailures() {
        balancer = build(passive(2), "http://a");
        failTimes("a:80", 2);
        assertThat(endpoint("a:80").ejected()).isFalse();
        balancer.add(Endpoint.of("http://b"));
        failTimes("a:80", 1);
        assertThat(endpoint("a:80").ejected()).isFalse();
        failTimes("a:80", 1);
        assertThat(endpoint("a:80").ejected()).isTrue();
    }

    @Test
    void anotherMachineUnderTheSameIdBeginsAnew() {
        Endpoint first = Endpoint.builder("http://a").id("first").build();
        Endpoint moved = Endpoint.builder("http://elsewhere").id("first").build();
        balancer.update(Arrays.asList(first, Endpoint.of("http://b")));
        failToConnect("first");
        balancer.fence("first");
        balancer.update(Arrays.asList(moved, Endpoint.of("http://b")));
        assertThat(endpoint("first").failures()).isZero();
        assertThat(endpoint("first").fenced()).isTrue();
        balancer.unfence("first");
        assertThat(picks(4)).contains("first");
    }

    @Test
    void theNewestWordOnAFenceCounts() {
        balancer.fence("a:80");
        balancer.update(balancer.snapshot().endpoints().stream()
                .map(EndpointSnapshot::endpoint)
                .collect(Collectors.toList()));
        assertThat(endpoint("a:80").fenced())
                .as("the same configuration says nothing new")
                .isTrue();
        balancer.unfence("a:80");
        balancer.add(Endpoint.builder("http://a").fenced(true).build());
        assertThat(endpoint("a:80").fenced()).isTrue();
    }

    @Test
    void aServerThatOnlyHangsIsSeenToHang() {
        AtomicReference<Candidate> seen = new AtomicReference<>();
        balancer = buildWith(context -> {
            seen.set(context.candidates().get(0));
            return (request, tried) -> context.candidates().get(0);
        });
        Pick hanging = balancer.pick(RequestFacts.NONE);
        long begin = time.nanoTime();
        time.advanceMillis(1_000);
        balancer.pick(RequestFacts.NONE).done(Outcome.timedOut(null));
        balancer.pick(RequestFacts.NONE).cancel();
        assertThat(seen.get().waitingSinceNanos()).isEqualTo(begin);
        hanging.success();
        assertThat(seen.get().waitingSinceNanos()).isEqualTo(time.nanoTime());
    }

    @Test
    void failuresAreKnownToPickersUntilTheServerSucceedsOrLeaves() {
        AtomicReference<PickerContext> seen = new AtomicReference<>();
        balancer = buildWith(context -> {
            seen.set(context);
            return (request, tried) -> context.candidates().get(0);
        });
        assertThat(seen.get().failures().isAny()).isFalse();
        balancer.pick(RequestFacts.NONE).failure(new IOException("broken"));
        Pick late = balancer.pick(RequestFacts.NONE);
        late.failure(new IOException("broken"));
        assertThat(seen.get().failures().isAny()).isTrue();
        balancer.pick(RequestFacts.NONE).success();
        balancer.pick(RequestFacts.NONE).success();
        assertThat(seen.get().failures().isAny()).isFalse();

        Pick ofOneThatLeaves = balancer.pick(RequestFacts.NONE);
        balancer.pick(RequestFacts.NONE).failure(new IOException("broken"));
        balancer.remove("a:80");
        ofOneThatLeaves.failure(new IOException("broken"));
        assertThat(seen.get().failures().isAny()).isFalse();
    }

    @Test
    void pickersAreToldTheTimeOfTheRequest() {
        AtomicReference<PickerContext> seen = new AtomicReference<>();
        balancer = buildWith(context -> {
            seen.set(context);
            return (request, tried) -> context.candidates().get(0);
        });
        time.advanceMillis(1_000);
        balancer.pick(RequestFacts.NONE).success();
        assertThat(seen.get().ticker().nanoTime()).isEqualTo(time.nanoTime());
    }

    @Test
    void aStrategyThatFailsDoesNotFailTheRequestsThatTeach() {
        AtomicBoolean broken = new AtomicBoolean();
        balancer = buildWith(context -> {
            if (broken.get()) {
                throw new IllegalStateException("fragile");
            }
            return (request, tried) -> context.candidates().get(0);
        });
        Pick pick = balancer.pick(RequestFacts.NONE);
        broken.set(true);
        pick.failure(new ConnectException("refused"));
        assertThat(endpoint("a:80").inFlight()).isZero();
        assertThatThrownBy(() -> balancer.remove("a:80")).hasMessage("fragile");
        assertThat(balancer.snapshot().endpoints()).hasSize(2);
        assertThat(picks(1)).containsExactly("a:80");
    }

    @Test
    void goesOnInTheSequenceAfterATotalOutage() {
        balancer = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .endpoint("http://b")
                .endpoint("http://c")
                .strategy("wrr")
                .scheduler(time)
                .build();
        assertThat(picks(1)).containsExactly("a:80");
        for (String id : Arrays.asList("a:80", "b:80", "c:80")) {
            balancer.fence(id);
        }
        assertThat(balancer.isUp()).isFalse();
        balancer.update(Arrays.asList(Endpoint.of("http://a"), Endpoint.of("http://b"), Endpoint.of("http://c")));
        assertThat(balancer.isUp()).isFalse();
        for (String id : Arrays.asList("a:80", "b:80", "c:80")) {
            balancer.unfence(id);
        }
        Set<String> turn = new HashSet<>(picks(3));
        assertThat(turn).containsExactlyInAnyOrder("a:80", "b:80", "c:80");
    }

    @Test
    void passesOverAServerWhoseConnectionFailedForASecondThenTwo() {
        Pick pick = balancer.pick(RequestFacts.NONE);
        pick.failure(new ConnectException("refused"));
        assertThat(picks(4)).doesNotContain("a:80");
        assertThat(endpoint("a:80").up()).isTrue();
        time.advanceMillis(1_000);
        assertThat(picks(3)).contains("a:80");
        failToConnect("a:80");
        time.advanceMillis(1_999);
        assertThat(picks(4)).doesNotContain("a:80");
        time.advanceMillis(1);
        assertThat(picks(3)).contains("a:80");
    }

    @Test
    void usesServersInBackoffWhenNoOtherIsLeft() {
        failToConnect("a:80");
        failToConnect("b:80");
        failToConnect("c:80");
        assertThat(picks(3)).containsExactlyInAnyOrder("a:80", "b:80", "c:80");
    }

    @Test
    void aConnectionThatSucceedsEndsTheBackoff() {
        Pick early = pickOf("a:80");
        failToConnect("a:80");
        assertThat(picks(4)).doesNotContain("a:80");
        early.responded();
        assertThat(picks(3)).contains("a:80");
        early.success();
    }

    @Test
    void aCancelledRequestTeachesNothing() {
        balancer = build(passive(1), "http://a", "http://b");
        pickOf("a:80").cancel();
        pickOf("a:80").done(Outcome.stale());
        assertThat(endpoint("a:80").ejected()).isFalse();
        assertThat(endpoint("a:80").failures()).isZero();
    }

    @Test
    void closesTwiceWithoutHarmAndLeavesNoTimer() {
        failToConnect("a:80");
        assertThat(time.waiting()).isEqualTo(1);
        balancer.close();
        balancer.close();
        assertThat(time.waiting()).isZero();
        assertThat(picks(3)).isNotEmpty();
    }

    private LoadBalancer buildWith(Function<PickerContext, Picker> pickers) {
        return LoadBalancer.builder("orders")
                .endpoint("http://a")
                .endpoint("http://b")
                .scheduler(time)
                .strategy(new Strategy() {
                    @Override
                    public String name() {
                        return "own";
                    }

                    @Override
                    public Picker picker(PickerContext context) {
                        return pickers.apply(context);
                    }
                })
                .build();
    }

    private LoadBalancer build(String... urls) {
        return build(null, urls);
    }

    private LoadBalancer build(PassiveHealthCheck passive, String... urls) {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders")
                .strategy("round-robin")
                .passiveHealthCheck(passive)
                .scheduler(time);
        for (String url : urls) {
            builder.endpoint(url);
        }
        return builder.build();
    }

    private static PassiveHealthCheck passive(int attempts) {
        return PassiveHealthCheck.builder()
                .maxFailedAttempts(attempts)
                .failureWindow(Duration.ofSeconds(10))
                .build();
    }

    private EndpointSnapshot endpoint(String id) {
        EndpointSnapshot endpoint = balancer.snapshot().endpoint(id);
        assertThat(endpoint).as(id).isNotNull();
        return endpoint;
    }

    private List<String> picks(int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Pick pick = balancer.pick(RequestFacts.NONE);
            ids.add(pick.endpoint().id());
            // Not a success, which would end the backoff.
            pick.cancel();
        }
        return ids;
    }

    private String tryPick(Tried tried) {
        Pick pick = balancer.tryPick(RequestFacts.NONE, tried);
        assertThat(pick).isNotNull();
        pick.cancel();
        return pick.endpoint().id();
    }

    private Pick pickOf(String id) {
        for (int i = 0; i < 100; i++) {
            Pick pick = balancer.pick(RequestFacts.NONE);
            if (pick.endpoint().id().equals(id)) {
                return pick;
            }
            pick.cancel();
        }
        throw new AssertionError(id + " is not picked");
    }

    private void failTimes(String id, int times) {
        for (int i = 0; i < times; i++) {
            pickOf(id).done(Outcome.status(503));
        }
    }

    private void succeedOnce(String id) {
        pickOf(id).success();
    }

    private void failToConnect(String id) {
        pickOf(id).failure(new ConnectException("refused"));
    }
}
