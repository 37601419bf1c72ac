package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.ManualScheduler;
import io.fairlead.ProbingScheduler;
import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import io.fairlead.observe.EndpointSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When servers are checked, and what the verdicts come to; the checks themselves are the test's. */
final class ActiveCheckTest {
    private final ManualScheduler time = new ManualScheduler();
    private final List<Long> begun = new ArrayList<>();
    private final List<Boolean> slow = new ArrayList<>();
    private final List<Consumer<Verdict>> held = new ArrayList<>();
    private final long origin = time.nanoTime();
    private Verdict verdict = Verdict.PASSED;
    private boolean hold;

    @Test
    void jitterShortensEachIntervalByItsShareAtMostAndNeverLengthensIt() {
        balance(check -> check.interval(Duration.ofSeconds(10)).jitter(30));
        time.advanceMillis(3_600_000);
        List<Long> gaps = gaps();

        assertThat(gaps).hasSizeGreaterThan(360).allMatch(gap -> gap >= 7_000 && gap <= 10_000);
        assertThat(gaps).anyMatch(gap -> gap < 7_600).anyMatch(gap -> gap > 9_400);
    }

    @Test
    void withoutJitterTheIntervalIsExact() {
        balance(check -> check.interval(Duration.ofSeconds(10)).jitter(0));
        time.advanceMillis(60_000);

        assertThat(gaps()).hasSize(6).containsOnly(10_000L);
    }

    @Test
    void aServerThatIsDownIsCheckedAtItsOwnIntervalUntilACheckPasses() {
        balance(check -> check.interval(Duration.ofSeconds(1))
                .unhealthyInterval(Duration.ofSeconds(5))
                .fall(2)
                .rise(2)
                .jitter(0));
        time.advanceMillis(0);
        verdict = Verdict.failed("ill");
        time.advanceMillis(11_500);
        verdict = Verdict.PASSED;
        time.advanceMillis(8_000);

        // Passes at 0, fails at 1 and 2, is down, fails at 7, passes at 12 and 13, is up.
        assertThat(begun.subList(0, 7)).containsExactly(0L, 1_000L, 2_000L, 7_000L, 12_000L, 13_000L, 14_000L);
    }

    @Test
    void aCheckThatTakesLongIsFollowedAtOnceAndTheNextOneIsKnownToBeSlow() {
        balance(check -> check.interval(Duration.ofSeconds(1)).jitter(0));
        time.advanceMillis(0);
        hold = true;
        time.advanceMillis(3_500);
        assertThat(begun).containsExactly(0L, 1_000L);
        assertThat(slow).containsExactly(false, false);
        held.get(0).accept(Verdict.timedOut());
        time.advanceMillis(0);

        assertThat(begun).containsExactly(0L, 1_000L, 3_500L);
        assertThat(slow).containsExactly(false, false, true);
    }

    @Test
    void unknownServersAreUsableUntilTheFirstVerdict() {
        hold = true;
        LoadBalancer balancer = balance(check -> check.fall(2));
        time.advanceMillis(0);
        assertThat(server(balancer).check()).isEqualTo(CheckState.UNKNOWN);
        assertThat(balancer.isUp()).isTrue();
        held.get(0).accept(Verdict.failed("ill"));

        assertThat(server(balancer).check()).isEqualTo(CheckState.UNKNOWN);
        assertThat(server(balancer).checkError()).isEqualTo("ill");
        assertThat(balancer.isUp()).isTrue();
    }

    @Test
    void orTheyAreNotAndThenOneCheckThatPassesIsEnough() {
        hold = true;
        LoadBalancer balancer = balance(check -> check.initiallyUp(false).rise(3));
        List<String> heard = new ArrayList<>();
        balancer.addListener(change -> heard.add(change.toString()));
        time.advanceMillis(0);
        assertThat(server(balancer).check()).isEqualTo(CheckState.UNKNOWN);
        assertThat(server(balancer).up()).isFalse();
        assertThat(balancer.tryPick(RequestFacts.NONE, Tried.NONE)).isNull();
        held.get(0).accept(Verdict.PASSED);

        assertThat(server(balancer).check()).isEqualTo(CheckState.UP);
        assertThat(balancer.isUp()).isTrue();
        assertThat(heard).containsExactly("orders a:80 ENDPOINT_UP", "orders SERVICE_UP");
    }

    @Test
    void aServerThatWasNeverUpNeedsItsFullRiseAfterACheckThatFailed() {
        verdict = Verdict.failed("ill");
        LoadBalancer balancer =
                balance(check -> check.initiallyUp(false).fall(3).rise(2).jitter(0));
        time.advanceMillis(0);
        assertThat(server(balancer).check()).isEqualTo(CheckState.DOWN);
        verdict = Verdict.PASSED;
        time.advanceMillis(10_000);
        assertThat(balancer.isUp()).isFalse();
        time.advanceMillis(10_000);

        assertThat(balancer.isUp()).isTrue();
    }

    @Test
    void aServerThatComesLaterWaitsForItsVerdictAndThoseThatServeGoOn() {
        LoadBalancer balancer = balance(check -> check.initiallyUp(false).jitter(0));
        time.advanceMillis(0);
        hold = true;
        balancer.add(Endpoint.of("http://b"));
        balancer.add(Endpoint.of("http://a", 5));
        time.advanceMillis(0);

        assertThat(balancer.snapshot().endpoint("a:80").up()).isTrue();
        assertThat(balancer.snapshot().endpoint("b:80").up()).isFalse();
    }

    @Test
    void aSnapshotSaysHowLongAStateHasLasted() {
        LoadBalancer balancer = balance(check -> check.fall(1).rise(1).jitter(0));
        time.advanceMillis(25_000);
        assertThat(server(balancer).stateAge()).isEqualTo(Duration.ofSeconds(25));
        verdict = Verdict.failed("ill");
        time.advanceMillis(8_000);

        assertThat(server(balancer).up()).isFalse();
        assertThat(server(balancer).stateAge()).isEqualTo(Duration.ofSeconds(3));
    }

    private static EndpointSnapshot server(LoadBalancer balancer) {
        return balancer.snapshot().endpoints().get(0);
    }

    private List<Long> gaps() {
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < begun.size(); i++) {
            gaps.add(begun.get(i) - begun.get(i - 1));
        }
        return gaps;
    }

    private LoadBalancer balance(Consumer<HealthCheck.Builder> settings) {
        HealthCheck.Builder check = HealthCheck.builder();
        settings.accept(check);
        return LoadBalancer.builder("orders")
                .endpoint("http://a")
                .healthCheck(check.build())
                .scheduler(new ProbingScheduler(time, this::probe))
                .build();
    }

    private void probe(Endpoint endpoint, HealthCheck check, boolean isSlow, Consumer<Verdict> done) {
        begun.add((time.nanoTime() - origin) / 1_000_000);
        slow.add(isSlow);
        if (hold) {
            held.add(done);
        } else {
            done.accept(verdict);
        }
    }
}
