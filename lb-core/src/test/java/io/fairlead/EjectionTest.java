package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.health.FailurePercentageEjection;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.health.SuccessRateEjection;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.net.ConnectException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each detector ejects, for how long, and what it leaves alone. */
final class EjectionTest {
    private static final Outcome UNAVAILABLE = Outcome.status(503);
    private static final Outcome BROKEN = Outcome.broken(null);

    private final ManualScheduler time = new ManualScheduler();
    private LoadBalancerBuilder builder = LoadBalancer.builder("none").scheduler(time);
    private LoadBalancer balancer = builder.build();

    @AfterEach
    void close() {
        balancer.close();
        assertThat(time.waiting()).as("timers that are left").isZero();
    }

    @Test
    void gatewayFailuresAreCountedApartFromOtherFailures() {
        start(3, PassiveHealthCheck.builder().consecutiveGatewayFailures(3));
        end(0, BROKEN, 20);
        end(0, Outcome.timedOut(null), 20);
        assertThat(ejected()).isEmpty();
        end(0, UNAVAILABLE, 1);
        end(0, Outcome.connectFailed(new ConnectException()), 1);
        end(0, BROKEN, 1);
        end(0, UNAVAILABLE, 2);
        assertThat(ejected()).as("another failure begins the count anew").isEmpty();
        end(0, UNAVAILABLE, 1);
        assertThat(ejected()).containsExactly("s0:80");
    }

    @Test
    void aSuccessBeginsTheCountOfGatewayFailuresAnewAndACancelDoesNot() {
        start(3, PassiveHealthCheck.builder().consecutiveGatewayFailures(2));
        end(0, UNAVAILABLE, 1);
        end(0, Outcome.success(), 1);
        end(0, UNAVAILABLE, 1);
        assertThat(ejected()).isEmpty();
        end(0, Outcome.cancelled(), 1);
        end(0, Outcome.stale(), 1);
        end(0, UNAVAILABLE, 1);
        assertThat(ejected()).containsExactly("s0:80");
    }

    @Test
    void maxFailsWithinItsTimeTakeAServerOutForThatTimeAsInNginx() {
        start(3, PassiveHealthCheck.builder().maxFails(3).failTimeout(Duration.ofSeconds(10)));
        end(0, BROKEN, 1);
        time.advanceMillis(5_001);
        end(0, BROKEN, 1);
        end(0, Outcome.success(), 5);
        time.advanceMillis(5_000);
        end(0, BROKEN, 1);
        assertThat(ejected()).as("the first is 10.001 s old").isEmpty();
        time.advanceMillis(4_999);
        end(0, BROKEN, 1);
        assertThat(ejected())
                .as("three within 9.999 s, with successes between them")
                .containsExactly("s0:80");
        time.advanceMillis(9_999);
        assertThat(ejected()).containsExactly("s0:80");
        time.advanceMillis(1);
        assertThat(ejected()).isEmpty();
        end(0, BROKEN, 3);
        time.advanceMillis(10_000);
        assertThat(ejected()).as("never for longer").isEmpty();
    }

    @Test
    void maxFailsAloneLeavesTheRunOfFailuresOut() {
        start(3, PassiveHealthCheck.builder().maxFails(100));
        end(0, BROKEN, 99);
        assertThat(ejected()).isEmpty();
    }

    @Test
    void aSuccessRateFarBelowTheOthersIsEjectedAtTheEndOfTheInterval() {
        start(5, successRate());
        // 50, 100, 100, 100, 100 %: the threshold is 52 %, as in Envoy's own test.
        for (int server = 0; server < 5; server++) {
            end(server, Outcome.success(), 50);
            end(server, server == 0 ? UNAVAILABLE : Outcome.success(), 50);
        }
        time.advanceMillis(9_999);
        assertThat(ejected()).isEmpty();
        time.advanceMillis(1);
        assertThat(ejected()).containsExactly("s0:80");
        time.advanceMillis(29_999);
        assertThat(ejected()).containsExactly("s0:80");
        time.advanceMillis(1);
        assertThat(ejected()).isEmpty();
    }

    @Test
    void aSuccessRateAboveTheThresholdIsNot() {
        start(5, successRate());
        for (int server = 0; server < 5; server++) {
            int failures = server < 2 ? 50 : 0;
            end(server, UNAVAILABLE, failures);
            end(server, Outcome.success(), 100 - failures);
        }
        // Mean 80, stdev sqrt((2 * 900 + 3 * 400) / 5) = 24.49, threshold 33.5.
        time.advanceMillis(10_000);
        assertThat(ejected()).isEmpty();
    }

    @Test
    void theCountsOfOneIntervalAreReadOnceAndNotCarriedOver() {
        start(5, successRate());
        for (int server = 0; server < 5; server++) {
            end(server, server == 0 ? UNAVAILABLE : Outcome.success(), 99);
        }
        time.advanceMillis(10_000);
        assertThat(ejected()).as("99 requests are too few").isEmpty();
        for (int server = 0; server < 5; server++) {
            end(server, server == 0 ? UNAVAILABLE : Outcome.success(), 99);
        }
        time.advanceMillis(10_000);
        assertThat(ejected()).as("and 99 again are no 198").isEmpty();
    }

    @Test
    void bothDetectorsJudgeByTheCountsOfTheSameInterval() {
        start(
                6,
                PassiveHealthCheck.builder()
                        .successRate(SuccessRateEjection.DEFAULT.withRequestVolume(1000))
                        .failurePercentage(FailurePercentageEjection.DEFAULT));
        for (int server = 0; server < 6; server++) {
            end(server, server == 0 ? UNAVAILABLE : Outcome.success(), 50);
        }
        time.advanceMillis(10_000);
        assertThat(ejected())
                .as("reading them for the first leaves them for the second")
                .containsExactly("s0:80");
    }

    @Test
    void aFailurePercentageEjectsFromItsThresholdOnWhateverTheOthersDo() {
        start(5, failurePercentage().maxEjectedPercent(100));
        for (int server = 0; server < 5; server++) {
            end(server, UNAVAILABLE, server < 4 ? 85 : 84);
            end(server, Outcome.success(), server < 4 ? 15 : 16);
        }
        time.advanceMillis(10_000);
        assertThat(ejected()).containsExactly("s0:80", "s1:80", "s2:80", "s3:80");
    }

    @Test
    void nothingIsJudgedWithTooFewServersOrRequests() {
        start(5, failurePercentage());
        for (int server = 0; server < 4; server++) {
            end(server, UNAVAILABLE, 1000);
        }
        end(4, Outcome.success(), 49);
        time.advanceMillis(10_000);
        assertThat(ejected()).isEmpty();
    }

    @Test
    void anEnforcementOfZeroPercentEjectsNobody() {
        start(
                5,
                PassiveHealthCheck.builder()
                        .failurePercentage(FailurePercentageEjection.DEFAULT.withEnforcementPercentage(0)));
        for (int server = 0; server < 5; server++) {
            end(server, server == 0 ? UNAVAILABLE : Outcome.success(), 100);
        }
        time.advanceMillis(10_000);
        assertThat(ejected()).isEmpty();
    }

    @Test
    void theShareThatMayBeOutIsRoundedDownAndAtLeastOne() {
        // 30 % of 5 is 1.5, of 2 is 0.6.
        start(5, failurePercentage().maxEjectedPercent(30));
        for (int server = 0; server < 5; server++) {
            end(server, UNAVAILABLE, 100);
        }
        time.advanceMillis(10_000);
        assertThat(ejected()).hasSize(1);
        start(2, PassiveHealthCheck.builder().maxFailedAttempts(1).maxEjectedPercent(30));
        end(0, BROKEN, 1);
        assertThat(ejected()).hasSize(1);
    }

    @Test
    void theLastServerIsNeverEjectedWhoeverFindsIt() {
        start(5, failurePercentage().maxEjectedPercent(100));
        for (int server = 0; server < 5; server++) {
            end(server, server < 4 ? UNAVAILABLE : Outcome.success(), 100);
        }
        balancer.fence("s4:80");
        time.advanceMillis(10_000);
        assertThat(ejected()).as("the fifth is fenced").containsExactly("s0:80", "s1:80", "s2:80");
        assertThat(balancer.isUp()).isTrue();
    }

    @Test
    void eachEjectionIsLongerAndEachHealthyIntervalForgetsOne() {
        start(3, PassiveHealthCheck.builder().maxFailedAttempts(1).interval(Duration.ofSeconds(10)));
        assertThat(secondsOut()).isEqualTo(30);
        assertThat(secondsOut()).isEqualTo(60);
        assertThat(secondsOut()).isEqualTo(90);
        time.advanceMillis(9_999);
        assertThat(secondsOut()).as("no whole interval").isEqualTo(120);
        time.advanceMillis(20_000);
        assertThat(secondsOut()).as("two intervals forget two").isEqualTo(90);
        time.advanceMillis(1_000_000);
        assertThat(secondsOut()).isEqualTo(30);
    }

    @Test
    void aServerThatLeftAndCameBackBeginsAnew() {
        start(5, failurePercentage());
        for (int server = 0; server < 5; server++) {
            end(server, server == 0 ? UNAVAILABLE : Outcome.success(), 100);
        }
        balancer.remove("s0:80");
        balancer.add(Endpoint.of("http://s0"));
        time.advanceMillis(10_000);
        assertThat(ejected()).isEmpty();
    }

    @Test
    void aChangeIsWholeThoughTheStrategyFailsWhereItBringsAServerBack() {
        AtomicBoolean broken = new AtomicBoolean();
        Strategy inner = Strategies.create("round-robin", StrategyOptions.DEFAULT);
        builder = LoadBalancer.builder("orders")
                .endpoint("http://s0")
                .endpoint("http://s1")
                .scheduler(time)
                .passiveHealthCheck(
                        PassiveHealthCheck.builder().maxFailedAttempts(1).build())
                .strategy(new Strategy() {
                    @Override
                    public String name() {
                        return "fragile";
                    }

                    @Override
                    public Picker picker(PickerContext context) {
                        if (broken.get()) {
                            throw new IllegalStateException("fragile");
                        }
                        return inner.picker(context);
                    }
                });
        balancer.close();
        balancer = builder.build();
        end(0, BROKEN, 1);
        broken.set(true);
        ((EndpointLoadBalancer) balancer)
                .reconfigure(builder.passiveHealthCheck(null)
                        .healthCheck(HealthCheck.builder().build()));
        assertThat(time.waiting()).as("the checks have begun").isEqualTo(3);
        assertThat(ejected()).isEmpty();
    }

    @Test
    void whatWasCountedForAnEarlierCheckIsNotHeldAgainstAServer() {
        start(5, successRate());
        for (int server = 0; server < 5; server++) {
            end(server, server == 0 ? UNAVAILABLE : Outcome.success(), 99);
        }
        reconfigure(PassiveHealthCheck.builder().maxFails(1000));
        time.advanceMillis(3_600_000);
        reconfigure(successRate());
        for (int server = 0; server < 5; server++) {
            end(server, Outcome.success(), 1);
        }
        time.advanceMillis(10_000);
        assertThat(ejected()).isEmpty();
    }

    @Test
    void aLongBaseAloneIsTheLongestTimeToo() {
        start(3, PassiveHealthCheck.builder().maxFailedAttempts(1).baseEjection(Duration.ofMinutes(10)));
        assertThat(secondsOut()).isEqualTo(600);
        assertThat(secondsOut()).isEqualTo(600);
    }

    @Test
    void timesBeyondAllBoundsAreTakenAsTheLongest() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        start(
                3,
                PassiveHealthCheck.builder()
                        .maxFailedAttempts(2)
                        .failureWindow(forever)
                        .baseEjection(forever)
                        .maxEjection(forever));
        end(0, BROKEN, 1);
        time.advanceMillis(3_600_000);
        end(0, BROKEN, 1);
        time.advanceMillis(3_600_000);
        assertThat(ejected()).containsExactly("s0:80");
    }

    @Test
    void anEjectedServerStaysOutAcrossANewList() {
        start(3, PassiveHealthCheck.builder().maxFailedAttempts(1));
        end(0, BROKEN, 1);
        balancer.update(balancer.snapshot().endpoints().stream()
                .map(EndpointSnapshot::endpoint)
                .collect(Collectors.toList()));
        assertThat(ejected()).containsExactly("s0:80");
    }

    private static PassiveHealthCheck.Builder successRate() {
        return PassiveHealthCheck.builder().successRate(SuccessRateEjection.DEFAULT);
    }

    private static PassiveHealthCheck.Builder failurePercentage() {
        return PassiveHealthCheck.builder().failurePercentage(FailurePercentageEjection.DEFAULT);
    }

    private void reconfigure(PassiveHealthCheck.Builder check) {
        ((EndpointLoadBalancer) balancer).reconfigure(builder.passiveHealthCheck(check.build()));
    }

    private void start(int servers, PassiveHealthCheck.Builder check) {
        balancer.close();
        builder = LoadBalancer.builder("orders")
                .strategy("round-robin")
                .scheduler(time)
                .passiveHealthCheck(check.build());
        for (int i = 0; i < servers; i++) {
            builder.endpoint("http://s" + i);
        }
        balancer = builder.build();
    }

    /** Fails the first server once, and waits until it is back. */
    private int secondsOut() {
        end(0, BROKEN, 1);
        int seconds = 0;
        while (!ejected().isEmpty()) {
            time.advanceMillis(1_000);
            seconds++;
        }
        return seconds;
    }

    /** Ends so many requests to one server in this way. */
    private void end(int server, Outcome outcome, int times) {
        Tried others = Tried.create();
        for (EndpointSnapshot each : balancer.snapshot().endpoints()) {
            if (!each.id().equals("s" + server + ":80")) {
                others.add(each.id());
            }
        }
        for (int i = 0; i < times; i++) {
            Pick pick = balancer.tryPick(RequestFacts.NONE, others);
            assertThat(pick).isNotNull();
            pick.done(outcome);
        }
    }

    private List<String> ejected() {
        List<String> ids = new ArrayList<>();
        for (EndpointSnapshot each : balancer.snapshot().endpoints()) {
            if (each.ejected()) {
                ids.add(each.id());
            }
        }
        return ids;
    }
}
