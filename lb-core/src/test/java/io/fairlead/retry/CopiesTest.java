package io.fairlead.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.ManualScheduler;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.compose.FailoverLoadBalancer;
import io.fairlead.observe.EndpointSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hedging, with the time moved by hand. */
final class CopiesTest {
    private static final long MILLI = 1_000_000;

    private final ManualScheduler time = new ManualScheduler();
    private final HedgePolicy policy =
            HedgePolicy.builder().minDelay(Duration.ofMillis(1)).build();

    @Test
    void aCopyIsDueAfterTheQuantileOfTheLatency() {
        LoadBalancer balancer = learnt(servers(2, policy));
        Attempts attempts = attempts(balancer);
        Pick first = attempts.first();
        Copies copies = attempts.copies(true);
        // 95 of 100 took 20 ms.
        assertThat(copies.delayNanos()).isBetween(20 * MILLI, 22 * MILLI);
        time.advanceMillis(15);
        assertThat(copies.delayNanos()).isBetween(5 * MILLI, 7 * MILLI);
        time.advanceMillis(15);
        assertThat(copies.delayNanos()).isZero();
        Pick second = copies.next();
        assertThat(second.endpoint()).isNotEqualTo(first.endpoint());
        assertThat(copies.delayNanos()).as("one copy is all").isEqualTo(Long.MAX_VALUE);
        assertThat(inFlight(balancer)).isEqualTo(2);

        assertThat(copies.won(second)).isTrue();
        assertThat(inFlight(balancer)).isEqualTo(1);
        assertThat(copies.won(first)).as("too late").isFalse();
        assertThat(copies.failed(first, Outcome.cancelled())).isFalse();
        second.success();
        assertThat(inFlight(balancer)).isZero();
        assertThat(failures(balancer)).isZero();
    }

    @Test
    void neverBeforeTheLeastDelay() {
        LoadBalancer balancer = learnt(
                servers(2, HedgePolicy.builder().minDelay(Duration.ofMillis(30)).build()));
        Attempts attempts = attempts(balancer);
        attempts.first();
        assertThat(attempts.copies(true).delayNanos()).isEqualTo(30 * MILLI);
    }

    @Test
    void nothingIsCopiedWhileTheLatencyIsNotKnown() {
        Attempts attempts = attempts(servers(2, policy));
        attempts.first();
        assertThat(attempts.copies(true).delayNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void nothingIsCopiedThatChangesSomethingOrHasABodyOrWithoutAPolicy() {
        LoadBalancer balancer = learnt(servers(2, policy));
        for (String method : new String[] {"POST", "PUT", "DELETE", "PATCH", ""}) {
            Attempts attempts = attempts(balancer, method);
            attempts.first();
            assertThat(attempts.copies(true)).as(method).isNull();
        }
        Attempts withBody = attempts(balancer);
        withBody.first();
        assertThat(withBody.copies(false)).isNull();
        Attempts without = attempts(servers(2, null));
        without.first();
        assertThat(without.copies(true)).isNull();
    }

    @Test
    void copiesCostNoMoreThanTheirShareOfTheRequests() {
        LoadBalancer balancer = servers(2, policy);
        int copied = 0;
        for (int i = 0; i < 1000; i++) {
            Attempts attempts = attempts(balancer);
            Pick first = attempts.first();
            Copies copies = attempts.copies(true);
            Pick copy = copies.next();
            copied += copy == null ? 0 : 1;
            copies.won(first);
            first.success();
        }
        assertThat(copied).isEqualTo(50);
        assertThat(inFlight(balancer)).isZero();
    }

    @Test
    void aBudgetThatWasNotUsedIsKeptForTenCopies() {
        LoadBalancer balancer = learnt(servers(2, policy), 10_000);
        int copied = 0;
        for (int i = 0; i < 20; i++) {
            Attempts attempts = attempts(balancer);
            Pick first = attempts.first();
            Copies copies = attempts.copies(true);
            copied += copies.next() == null ? 0 : 1;
            copies.won(first);
            first.success();
        }
        // What 20 requests earn is not one more.
        assertThat(copied).isEqualTo(10);
    }

    @Test
    void aCopyThatFailsIsForgottenWhileAnotherRuns() {
        LoadBalancer balancer = learnt(servers(3, policy));
        Attempts attempts = attempts(balancer);
        Pick first = attempts.first();
        Copies copies = attempts.copies(true);
        Pick copy = copies.next();
        assertThat(copies.failed(first, Outcome.broken(null))).isFalse();
        assertThat(failures(balancer)).isEqualTo(1);
        assertThat(copies.failed(copy, Outcome.broken(null))).as("the last one").isTrue();
        assertThat(attempts.failed(Outcome.broken(null), true)).isTrue();
        Pick third = attempts.proceed();
        assertThat(third.endpoint()).isNotIn(first.endpoint(), copy.endpoint());
        third.success();
        assertThat(inFlight(balancer)).isZero();
    }

    @Test
    void endsAreLeftToACallerThatAsksForThem() {
        LoadBalancer balancer = learnt(
                servers(3, HedgePolicy.builder().maxExtra(2).budgetPercent(100).build()));
        Attempts attempts = attempts(balancer);
        attempts.first();
        Copies copies = attempts.copies(true);
        List<Runnable> ends = new ArrayList<>();
        Pick second = copies.next(ends::add);
        Pick third = copies.next(ends::add);
        assertThat(copies.failed(second, Outcome.broken(null), ends::add)).isFalse();
        assertThat(copies.won(third, ends::add)).isTrue();
        assertThat(inFlight(balancer)).isEqualTo(3);
        ends.forEach(Runnable::run);
        assertThat(inFlight(balancer)).isEqualTo(1);
        assertThat(failures(balancer)).isEqualTo(1);
        third.success();
        copies.cancel(end -> {
            throw new AssertionError("none is left");
        });
    }

    @Test
    void withoutAnotherServerThereIsNoCopy() {
        LoadBalancer balancer = learnt(servers(1, policy));
        Attempts attempts = attempts(balancer);
        Pick first = attempts.first();
        Copies copies = attempts.copies(true);
        assertThat(copies.next()).isNull();
        assertThat(copies.won(first)).isTrue();
        first.success();
        assertThat(inFlight(balancer)).isZero();
    }

    @Test
    void aSlowServerIsNoReasonToGoToTheFallback() {
        LoadBalancer main = learnt(servers(1, policy));
        LoadBalancer spare = LoadBalancer.builder("spare")
                .scheduler(time)
                .endpoint("http://spare")
                .build();
        Attempts attempts = attempts(new FailoverLoadBalancer("both", main, spare, time));
        Pick first = attempts.first();
        Copies copies = attempts.copies(true);
        assertThat(copies)
                .as("the policy is that of the service that was picked")
                .isNotNull();
        assertThat(copies.next()).isNull();
        first.cancel();
        assertThat(inFlight(spare)).isZero();
    }

    @Test
    void severalCopiesAreDueOneAfterTheOther() {
        LoadBalancer balancer = learnt(
                servers(4, HedgePolicy.builder().maxExtra(2).budgetPercent(100).build()));
        Attempts attempts = attempts(balancer);
        Pick first = attempts.first();
        Copies copies = attempts.copies(true);
        long one = copies.delayNanos();
        Pick second = copies.next();
        assertThat(copies.delayNanos()).isEqualTo(2 * one);
        Pick third = copies.next();
        assertThat(third.endpoint()).isNotIn(first.endpoint(), second.endpoint());
        assertThat(copies.next()).as("no more than two").isNull();
        copies.cancel();
        assertThat(inFlight(balancer)).isZero();
        assertThat(failures(balancer)).isZero();
    }

    @Test
    void copiesAreNoTries() {
        HedgePolicy three = HedgePolicy.builder().maxExtra(3).budgetPercent(100).build();
        for (int tries : new int[] {1, 3}) {
            LoadBalancer balancer = learnt(
                    servers(5, three, RetryPolicy.builder().attempts(tries).build()));
            Attempts attempts = attempts(balancer);
            attempts.first();
            Copies copies = attempts.copies(true);
            for (int i = 0; i < 3; i++) {
                assertThat(copies.next()).as("copy %s of %s tries", i, tries).isNotNull();
            }
            assertThat(inFlight(balancer)).isEqualTo(4);
            copies.cancel();
            assertThat(inFlight(balancer)).isZero();
        }
    }

    @Test
    void aSecondCopyIsNoReasonToGoToTheFallbackWhileAnotherServerIsLeft() {
        LoadBalancer main = learnt(servers(
                3,
                HedgePolicy.builder().maxExtra(2).budgetPercent(100).build(),
                RetryPolicy.builder().attempts(1).build()));
        LoadBalancer spare = LoadBalancer.builder("spare")
                .scheduler(time)
                .endpoint("http://spare")
                .build();
        Attempts attempts = attempts(new FailoverLoadBalancer("both", main, spare, time));
        attempts.first();
        Copies copies = attempts.copies(true);
        assertThat(copies.next()).isNotNull();
        assertThat(copies.next()).isNotNull();
        assertThat(inFlight(main)).isEqualTo(3);
        assertThat(spare.snapshot().endpoints().get(0).picks()).isZero();
        copies.cancel();
    }

    @Test
    void aCopyThatFailsIsATry() {
        LoadBalancer balancer =
                learnt(servers(4, policy, RetryPolicy.builder().attempts(2).build()));
        Attempts attempts = attempts(balancer);
        Pick first = attempts.first();
        Copies copies = attempts.copies(true);
        Pick copy = copies.next();
        assertThat(copies.failed(copy, Outcome.broken(null))).isFalse();
        assertThat(copies.failed(first, Outcome.broken(null))).isTrue();
        assertThat(attempts.failed(Outcome.broken(null), true)).isFalse();
        assertThat(inFlight(balancer)).isZero();
    }

    @Test
    void aServerThatWasOutrunIsAskedAgainOnlyWhenNoOtherIsLeft() {
        RetryPolicy on503 =
                RetryPolicy.builder().statuses(Collections.singleton(503)).build();
        for (int count : new int[] {2, 3}) {
            LoadBalancer balancer = learnt(servers(count, policy, on503));
            Attempts attempts = attempts(balancer);
            Pick first = attempts.first();
            Copies copies = attempts.copies(true);
            Pick copy = copies.next();
            copies.won(copy);
            assertThat(attempts.answered(503, null, null, true)).isTrue();
            Pick next = attempts.proceed();
            assertThat(next.endpoint()).isNotEqualTo(copy.endpoint());
            assertThat(next.endpoint().equals(first.endpoint())).isEqualTo(count == 2);
            next.success();
            assertThat(inFlight(balancer)).isZero();
        }
    }

    @Test
    void theTimeOfARequestIsThatToItsFirstAnswerWhoeverGaveIt() {
        // All are answered by copies, 5 ms after these were sent: the quantile must not sink to that.
        LoadBalancer balancer =
                learnt(servers(2, HedgePolicy.builder().budgetPercent(100).build()));
        for (int i = 0; i < 200; i++) {
            Attempts attempts = attempts(balancer);
            attempts.first();
            Copies copies = attempts.copies(true);
            time.advanceMillis(copies.delayNanos() / MILLI + 1);
            Pick copy = copies.next();
            time.advanceMillis(5);
            copies.won(copy);
            copy.success();
        }
        Attempts attempts = attempts(balancer);
        attempts.first();
        assertThat(attempts.copies(true).delayNanos()).isGreaterThan(20 * MILLI);
    }

    @Test
    void aServerThatIsOutrunIsKnownToBeSlow() {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders")
                .scheduler(time)
                .strategy("leasttime")
                .endpoint("http://a")
                .endpoint("http://b")
                .hedge(HedgePolicy.builder().budgetPercent(100).build());
        LoadBalancer balancer = builder.build();
        for (int i = 0; i < 10; i++) {
            Pick pick = balancer.pick(RequestFacts.NONE);
            time.advanceMillis(10);
            pick.success();
        }
        Attempts attempts = attempts(balancer);
        Pick slow = attempts.first();
        Copies copies = attempts.copies(true);
        time.advanceMillis(500);
        Pick quick = copies.next();
        time.advanceMillis(10);
        copies.won(quick);
        quick.success();
        for (int i = 0; i < 5; i++) {
            Pick pick = balancer.pick(RequestFacts.NONE);
            assertThat(pick.endpoint()).isEqualTo(quick.endpoint()).isNotEqualTo(slow.endpoint());
            time.advanceMillis(10);
            pick.success();
        }
    }

    // Helpers.

    private LoadBalancer learnt(LoadBalancer balancer) {
        return learnt(balancer, 100);
    }

    /** 95 % of the requests take 20 ms, the others 200. */
    private LoadBalancer learnt(LoadBalancer balancer, int requests) {
        for (int i = 0; i < requests; i++) {
            Attempts attempts = attempts(balancer);
            Pick pick = attempts.first();
            Copies copies = attempts.copies(true);
            if (requests <= 1000) {
                time.advanceMillis(i % 20 == 19 ? 200 : 20);
            }
            copies.won(pick);
            pick.success();
        }
        time.advanceMillis(100);
        return balancer;
    }

    private LoadBalancer servers(int count, HedgePolicy hedge) {
        return servers(count, hedge, RetryPolicy.builder().build());
    }

    private LoadBalancer servers(int count, HedgePolicy hedge, RetryPolicy retry) {
        LoadBalancerBuilder builder =
                LoadBalancer.builder("orders").scheduler(time).hedge(hedge).retry(retry);
        for (int i = 0; i < count; i++) {
            builder.endpoint("http://server" + i);
        }
        return builder.build();
    }

    private static Attempts attempts(LoadBalancer balancer) {
        return attempts(balancer, "GET");
    }

    private static Attempts attempts(LoadBalancer balancer, String method) {
        return Attempts.of(balancer, new RequestFacts() {
            @Override
            public String method() {
                return method;
            }
        });
    }

    private static int inFlight(LoadBalancer balancer) {
        return balancer.snapshot().endpoints().stream()
                .mapToInt(EndpointSnapshot::inFlight)
                .sum();
    }

    private static long failures(LoadBalancer balancer) {
        return balancer.snapshot().endpoints().stream()
                .mapToLong(EndpointSnapshot::failures)
                .sum();
    }
}
