package io.fairlead.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.ManualScheduler;
import io.fairlead.MirrorCopies;
import io.fairlead.MirrorCopy;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import io.fairlead.retry.Attempts;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MirroringTest {
    private final ManualScheduler scheduler = new ManualScheduler();
    private final LoadBalancer main = service("main", 2);
    private final LoadBalancer shadow = service("shadow", 1);

    private LoadBalancer service(String name, int servers) {
        LoadBalancerBuilder builder = LoadBalancer.builder(name).scheduler(scheduler);
        for (int i = 1; i <= servers; i++) {
            builder.endpoint("http://" + name + i + ":80");
        }
        return builder.build();
    }

    private MirroringLoadBalancer mirroring(LoadBalancer of, Mirror... mirrors) {
        return new MirroringLoadBalancer("mirroring", of, Arrays.asList(mirrors), scheduler);
    }

    private Mirror mirror(int percent) {
        return new Mirror(shadow, percent, MirrorOptions.DEFAULT);
    }

    private static List<MirrorCopy> copiesOfOneRequest(LoadBalancer balancer) {
        Pick pick = balancer.pick(RequestFacts.NONE);
        pick.success();
        MirrorCopies copies = pick.copies(null);
        return copies == null ? Collections.emptyList() : copies.take();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 33, 50, 99, 100})
    void ofAnyHundredRequestsThePercentageIsCopied(int percent) {
        LoadBalancer balancer = mirroring(main, mirror(percent));
        int[] copied = new int[1000];
        for (int i = 0; i < copied.length; i++) {
            List<MirrorCopy> copies = copiesOfOneRequest(balancer);
            copies.forEach(MirrorCopy::drop);
            copied[i] = copies.size();
        }
        for (int start = 0; start + 100 <= copied.length; start += 7) {
            assertThat(Arrays.stream(copied, start, start + 100).sum()).isEqualTo(percent);
        }
    }

    @Test
    void copiesAreSpreadEvenlyAndNotInARow() {
        LoadBalancer balancer = mirroring(main, mirror(50));
        for (int i = 0; i < 20; i++) {
            List<MirrorCopy> copies = copiesOfOneRequest(balancer);
            copies.forEach(MirrorCopy::drop);
            assertThat(copies).hasSize(i % 2 == 0 ? 1 : 0);
        }
    }

    @Test
    void eachMirrorHasItsOwnPercentage() {
        Mirror often = mirror(100);
        Mirror seldom = new Mirror(service("other", 1), 25, MirrorOptions.DEFAULT);
        LoadBalancer balancer = mirroring(main, often, seldom);
        for (int i = 0; i < 400; i++) {
            for (MirrorCopy copy : copiesOfOneRequest(balancer)) {
                Objects.requireNonNull(copy.pick(RequestFacts.NONE)).success();
            }
        }
        assertThat(often.sent()).isEqualTo(400);
        assertThat(seldom.sent()).isEqualTo(100);
    }

    @Test
    void aCopyIsUnderWayUntilItsPickEndsAndTeachesItsServerOnly() {
        Mirror mirror = mirror(100);
        MirrorCopy copy = copiesOfOneRequest(mirroring(main, mirror)).get(0);
        assertThat(mirror.inFlight()).isEqualTo(1);
        Pick pick = Objects.requireNonNull(copy.pick(RequestFacts.NONE));
        assertThat(pick.service()).isEqualTo("shadow");
        assertThat(shadow.snapshot().endpoints().get(0).inFlight()).isEqualTo(1);

        pick.failure(new ConnectException("refused"));
        pick.success();
        copy.drop();

        assertThat(mirror.inFlight()).isZero();
        assertThat(mirror.sent()).isEqualTo(1);
        assertThat(mirror.dropped()).isZero();
        assertThat(shadow.snapshot().endpoints().get(0).inFlight()).isZero();
        assertThat(shadow.snapshot().endpoints().get(0).failures()).isEqualTo(1);
        assertThat(main.snapshot().endpoints()).allMatch(server -> server.failures() == 0);
    }

    @Test
    void aCopyThatIsOutrunIsUnderWayNoMore() {
        Mirror mirror = mirror(100);
        MirrorCopy copy = copiesOfOneRequest(mirroring(main, mirror)).get(0);
        Pick pick = Objects.requireNonNull(copy.pick(RequestFacts.NONE));
        pick.outrun();
        assertThat(mirror.inFlight()).isZero();
    }

    @Test
    void aCopyIsSentOnceOrDroppedOnce() {
        Mirror mirror = mirror(100);
        LoadBalancer balancer = mirroring(main, mirror);
        MirrorCopy dropped = copiesOfOneRequest(balancer).get(0);
        dropped.drop();
        dropped.drop();
        assertThat(dropped.pick(RequestFacts.NONE)).isNull();
        assertThat(mirror.inFlight()).isZero();
        assertThat(mirror.dropped()).isEqualTo(1);
        assertThat(shadow.snapshot().endpoints().get(0).picks()).isZero();
    }

    @Test
    void soManyCopiesAreUnderWayAndNoMore() {
        Mirror mirror = new Mirror(shadow, 100, MirrorOptions.DEFAULT.withMaxInFlight(3));
        LoadBalancer balancer = mirroring(main, mirror);
        Pick last = null;
        for (int i = 0; i < 10; i++) {
            for (MirrorCopy copy : copiesOfOneRequest(balancer)) {
                last = copy.pick(RequestFacts.NONE);
            }
        }
        assertThat(mirror.inFlight()).isEqualTo(3);
        assertThat(mirror.dropped()).isEqualTo(7);
        Objects.requireNonNull(last).cancel();
        assertThat(copiesOfOneRequest(balancer)).hasSize(1);
    }

    @Test
    void aMirrorWithoutServersIsNotMissed() {
        Mirror mirror = mirror(100);
        shadow.fence("shadow1:80");
        LoadBalancer balancer = mirroring(main, mirror);
        assertThat(balancer.isUp()).isTrue();

        assertThat(copiesOfOneRequest(balancer).get(0).pick(RequestFacts.NONE)).isNull();

        assertThat(mirror.inFlight()).isZero();
        assertThat(mirror.dropped()).isEqualTo(1);
    }

    @Test
    void aRequestIsCopiedOnceHoweverOftenItIsTried() {
        LoadBalancer balancer = mirroring(main, mirror(100));
        Attempts attempts = Attempts.of(balancer, RequestFacts.NONE);
        Pick first = attempts.first();
        MirrorCopies copies = Objects.requireNonNull(first.copies(null));
        assertThat(copies.take()).hasSize(1);

        Pick second = attempts.next(Outcome.connectFailed(new ConnectException("refused")), true);

        assertThat(Objects.requireNonNull(second).copies(copies)).isSameAs(copies);
        assertThat(copies.take()).isEmpty();
        second.success();
    }

    @Test
    void anotherMirroringServiceOnTheWayOfARetryAddsItsOwn() {
        LoadBalancer plain = service("plain", 1);
        LoadBalancer failover = new FailoverLoadBalancer("both", plain, mirroring(main, mirror(100)), scheduler);
        Attempts attempts = Attempts.of(failover, RequestFacts.NONE);
        assertThat(attempts.first().copies(null)).isNull();
        Pick second = attempts.next(Outcome.connectFailed(new ConnectException("refused")), true);

        assertThat(Objects.requireNonNull(Objects.requireNonNull(second).copies(null))
                        .take())
                .hasSize(1);
        second.success();
    }

    @Test
    void mirroringWithinWeightedAndMirroringWithinMirroringAreBothCopied() {
        Map<LoadBalancer, Integer> parts = new LinkedHashMap<>();
        parts.put(mirroring(main, mirror(100)), 1);
        parts.put(service("plain", 1), 1);
        LoadBalancer weighted = new WeightedLoadBalancer("weighted", parts, scheduler);
        LoadBalancer outer = mirroring(weighted, new Mirror(service("other", 1), 100, MirrorOptions.DEFAULT));

        assertThat(copiesOfOneRequest(outer)).hasSize(2);
        assertThat(copiesOfOneRequest(outer)).hasSize(1);
    }

    @Test
    void aServiceWithoutMirrorsCopiesNothing() {
        Pick pick = mirroring(main).tryPick(RequestFacts.NONE, Tried.NONE);
        assertThat(Objects.requireNonNull(pick).copies(null)).isNull();
        assertThat(main.pick(RequestFacts.NONE).copies(null)).isNull();
    }

    @Test
    void optionsAndPercentagesHaveTheirRanges() {
        assertThatThrownBy(() -> mirror(101)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MirrorOptions.DEFAULT.withMaxBodySize(-2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MirrorOptions.DEFAULT.withMaxInFlight(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MirrorOptions.DEFAULT.withTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        MirrorCopy copy = copiesOfOneRequest(mirroring(
                        main,
                        new Mirror(
                                shadow,
                                100,
                                MirrorOptions.DEFAULT
                                        .withMaxBodySize(-1)
                                        .withMirrorBody(false)
                                        .withTimeout(Duration.ofMillis(5)))))
                .get(0);
        assertThat(copy.maxBodySize()).isEqualTo(Long.MAX_VALUE);
        assertThat(copy.isWithBody()).isFalse();
        assertThat(copy.timeout()).isEqualTo(Duration.ofMillis(5));
    }
}
