package io.fairlead.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.ManualScheduler;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.limit.Limits;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a policy changes. */
final class AttemptsByPolicyTest {
    private static final Outcome REFUSED = Outcome.connectFailed(new ConnectException());
    private static final Outcome BROKEN = Outcome.broken(new IOException());
    private static final Outcome LATE = Outcome.timedOut(null);
    private static final long MILLI = 1_000_000;

    private final ManualScheduler time = new ManualScheduler();

    @Test
    void asManyTriesAsThePolicySays() {
        for (int attempts : new int[] {1, 2, 5}) {
            LoadBalancer balancer = servers(7, policy -> policy.attempts(attempts));
            assertThat(tries(balancer, REFUSED)).isEqualTo(attempts);
        }
    }

    @Test
    void onlyTheFailuresOfThePolicyAreTriedAgain() {
        LoadBalancer connect =
                servers(2, policy -> policy.failures(Collections.singleton(RetryPolicy.Failure.CONNECT)));
        assertThat(tries(connect, REFUSED)).isEqualTo(2);
        assertThat(tries(connect, BROKEN)).isEqualTo(1);
        LoadBalancer timeout =
                servers(2, policy -> policy.failures(Collections.singleton(RetryPolicy.Failure.TIMEOUT)));
        assertThat(tries(timeout, LATE)).isEqualTo(2);
        assertThat(tries(timeout, REFUSED)).isEqualTo(1);
        LoadBalancer none = servers(2, policy -> policy.failures(Collections.emptySet()));
        assertThat(tries(none, REFUSED)).isEqualTo(1);
        assertThat(tries(none, Outcome.stale()))
                .as("a stale connection is no failure")
                .isGreaterThan(1);
    }

    @Test
    void onlyTheMethodsOfThePolicyAreSentTwice() {
        LoadBalancer balancer = servers(2, policy -> policy.methods(Collections.singleton("post")));
        assertThat(tries(balancer, "POST", BROKEN)).isEqualTo(2);
        assertThat(tries(balancer, "GET", BROKEN)).isEqualTo(1);
        assertThat(tries(balancer, "GET", REFUSED)).isEqualTo(2);
    }

    @Test
    void anAnswerOfAStatusOfThePolicyIsThrownAwayWhileATryIsLeft() {
        LoadBalancer balancer = servers(2, policy -> policy.statuses(Arrays.asList(502, 503)));
        Attempts attempts = attempts(balancer, "GET");
        Pick first = attempts.first();
        assertThat(attempts.answered(503, null, null, true)).isTrue();
        assertThat(attempts.delayNanos()).isZero();
        Pick second = attempts.proceed();
        assertThat(second).isNotNull();
        assertThat(second.endpoint()).isNotEqualTo(first.endpoint());
        assertThat(attempts.answered(503, null, null, true))
                .as("the last answer is the caller's")
                .isFalse();
        assertThat(inFlight(balancer)).as("until its body has been read").isEqualTo(1);
        second.done(Outcome.status(503));
        assertThat(failures(balancer)).isEqualTo(2);
    }

    @Test
    void otherStatusesOtherMethodsAndLostBodiesArePassedOn() {
        LoadBalancer balancer = servers(2, policy -> policy.statuses(Collections.singleton(503)));
        for (String method : new String[] {"GET", "POST"}) {
            Attempts attempts = attempts(balancer, method);
            Pick pick = attempts.first();
            assertThat(attempts.answered(method.equals("GET") ? 500 : 503, null, null, true))
                    .isFalse();
            assertThat(attempts.answered(503, null, null, false)).isFalse();
            pick.success();
        }
        assertThat(inFlight(balancer)).isZero();
    }

    @Test
    void waitsGrowAndAreNotMadeWhereNoConnectionCameAbout() {
        LoadBalancer balancer = servers(
                5,
                policy ->
                        policy.attempts(5).backoff(Backoff.of(Duration.ofMillis(20), Duration.ofMillis(50), 0, false)));
        Attempts attempts = attempts(balancer, "GET");
        attempts.first();
        assertThat(attempts.failed(BROKEN, true)).isTrue();
        assertThat(attempts.delayNanos()).isEqualTo(20 * MILLI);
        assertThat(inFlight(balancer))
                .as("nobody is asked while the request waits")
                .isZero();
        assertThat(attempts.proceed()).isNotNull();
        assertThat(attempts.failed(REFUSED, true)).isTrue();
        assertThat(attempts.delayNanos()).isZero();
        attempts.proceed();
        assertThat(attempts.failed(BROKEN, true)).isTrue();
        assertThat(attempts.delayNanos()).isEqualTo(50 * MILLI);
        attempts.cancel();
        assertThat(inFlight(balancer)).isZero();
    }

    @Test
    void aWaitIsMadeBeforeTheNextServerToWhereThePolicySaysSo() {
        LoadBalancer balancer =
                servers(2, policy -> policy.backoff(Backoff.of(Duration.ofMillis(20), Duration.ofMillis(50), 0, true)));
        Attempts attempts = attempts(balancer, "POST");
        attempts.first();
        assertThat(attempts.failed(REFUSED, true)).isTrue();
        assertThat(attempts.delayNanos()).isEqualTo(20 * MILLI);
    }

    @Test
    void afterAWaitTheServersAreAskedAnewWhereAllHaveFailed() {
        LoadBalancer one = servers(1, policy -> policy.backoff(Backoff.USUAL));
        assertThat(tries(one, BROKEN)).isEqualTo(3);
        LoadBalancer withoutWaiting = servers(1, policy -> policy);
        assertThat(tries(withoutWaiting, BROKEN)).isEqualTo(1);
    }

    @Test
    void anotherServerIsAskedWhileOneIsLeftAlsoAfterAWait() {
        LoadBalancer balancer = servers(2, policy -> policy.backoff(Backoff.USUAL));
        Attempts attempts = attempts(balancer, "GET");
        String first = attempts.first().endpoint().id();
        attempts.failed(BROKEN, true);
        assertThat(attempts.proceed().endpoint().id()).isNotEqualTo(first);
        assertThat(attempts.failed(BROKEN, true)).isTrue();
        assertThat(attempts.proceed()).isNotNull();
    }

    @Test
    void retryAfterIsWaitedForUpToItsMaximum() {
        LoadBalancer balancer = servers(
                3, policy -> policy.statuses(Collections.singleton(503)).maxRetryAfter(Duration.ofMillis(1500)));
        Attempts attempts = attempts(balancer, "GET");
        attempts.first();
        assertThat(attempts.answered(503, "1", null, true)).isTrue();
        assertThat(attempts.delayNanos()).isEqualTo(1000 * MILLI);
        attempts.proceed();
        assertThat(attempts.answered(503, "30", null, true)).isTrue();
        assertThat(attempts.delayNanos()).isEqualTo(1500 * MILLI);
    }

    @Test
    void retryAfterIsNotWaitedForWhereThePolicySaysSo() {
        LoadBalancer balancer =
                servers(2, policy -> policy.statuses(Collections.singleton(503)).retryAfter(false));
        Attempts attempts = attempts(balancer, "GET");
        attempts.first();
        assertThat(attempts.answered(503, "1", null, true)).isTrue();
        assertThat(attempts.delayNanos()).isZero();
    }

    @Test
    void noTryBeginsWhoseTurnWouldComeAfterTheTimeOfAll() {
        LoadBalancer balancer = servers(
                3,
                policy -> policy.timeout(Duration.ofMillis(100))
                        .backoff(Backoff.of(Duration.ofMillis(50), Duration.ofMillis(50), 0, false)));
        Attempts attempts = attempts(balancer, "GET");
        attempts.first();
        time.advanceMillis(30);
        assertThat(attempts.failed(BROKEN, true)).isTrue();
        time.advanceMillis(50);
        attempts.proceed();
        assertThat(attempts.failed(BROKEN, true))
                .as("at 80 ms, and at 130 it would be too late")
                .isFalse();
        assertThat(inFlight(balancer)).isZero();
    }

    @Test
    void aTryHasItsOwnLimitOrWhatIsLeftOfThatOfAll() {
        LoadBalancer balancer =
                servers(3, policy -> policy.timeout(Duration.ofMillis(100)).perTryTimeout(Duration.ofMillis(60)));
        Attempts attempts = attempts(balancer, "GET");
        attempts.first();
        assertThat(attempts.tryLimitNanos()).isEqualTo(60 * MILLI);
        time.advanceMillis(60);
        assertThat(attempts.failed(LATE, true)).isTrue();
        attempts.proceed();
        assertThat(attempts.tryLimitNanos()).isEqualTo(40 * MILLI);
        time.advanceMillis(40);
        assertThat(attempts.tryLimitNanos()).isEqualTo(1);
        assertThat(attempts.failed(LATE, true)).isFalse();

        Attempts unlimited = attempts(servers(1, policy -> policy), "GET");
        unlimited.first();
        assertThat(unlimited.tryLimitNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aTimeLimitOfAPostIsNotTriedAgain() {
        LoadBalancer balancer = servers(2, policy -> policy.perTryTimeout(Duration.ofMillis(60)));
        assertThat(tries(balancer, "POST", LATE)).isEqualTo(1);
        assertThat(tries(balancer, "GET", LATE)).isEqualTo(2);
    }

    @Test
    void theBudgetIsThatOfThePolicy() {
        LoadBalancer balancer = servers(2, policy -> policy.budget(50, 0));
        int retried = 0;
        for (int i = 0; i < 100; i++) {
            retried += tries(balancer, BROKEN) - 1;
        }
        assertThat(retried).isEqualTo(50);
    }

    @Test
    void aRetryThatFindsNoServerCostsNothing() {
        LoadBalancer balancer = servers(1, policy -> policy.budget(0, 1));
        assertThat(tries(balancer, BROKEN)).isEqualTo(1);
        assertThat(balancer.retryBudget().tryRetry()).isTrue();
        assertThat(balancer.retryBudget().tryRetry()).isFalse();
    }

    @Test
    void aRetryForAStatusTakesThePlaceOfItsPredecessorWhereNoOtherIsFree() {
        LoadBalancer balancer = limited(2);
        Attempts attempts = attempts(balancer, "GET");
        Pick first = attempts.first();
        assertThat(attempts.answered(503, null, null, true)).isTrue();
        Pick second = attempts.proceed();
        assertThat(second.endpoint()).isNotEqualTo(first.endpoint());
        assertThat(inFlight(balancer)).isEqualTo(1);
        second.success();
        assertThat(inFlight(balancer)).isZero();
        assertThat(failures(balancer)).isEqualTo(1);
        assertThat(balancer.retryBudget().tryRetry()).as("it was paid for").isFalse();
    }

    @Test
    void atTheLimitAnAnswerIsPassedOnWhereNoOtherServerIsLeft() {
        LoadBalancer balancer = limited(1);
        Attempts attempts = attempts(balancer, "GET");
        Pick only = attempts.first();
        assertThat(attempts.answered(503, null, null, true)).isFalse();
        only.done(Outcome.status(503));
        assertThat(inFlight(balancer)).isZero();
        assertThat(failures(balancer)).isEqualTo(1);
        assertThat(balancer.retryBudget().tryRetry()).as("it cost nothing").isTrue();
    }

    /** One request at a time, and one retry in all. */
    private LoadBalancer limited(int count) {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders")
                .scheduler(time)
                .limits(Limits.NONE.withMaxInFlight(1))
                .retry(RetryPolicy.builder()
                        .statuses(Collections.singleton(503))
                        .budget(0, 1)
                        .build());
        for (int i = 0; i < count; i++) {
            builder.endpoint("http://server" + i);
        }
        return builder.build();
    }

    @Test
    void aCancelIsNeverTriedAgain() {
        LoadBalancer balancer =
                servers(2, policy -> policy.perTryTimeout(Duration.ofMillis(60)).statuses(Collections.singleton(503)));
        assertThat(tries(balancer, Outcome.cancelled())).isEqualTo(1);
        assertThat(failures(balancer)).isZero();
    }

    @Test
    void aKeptAliveConnectionThatBrokeIsRepeatedOnceOnAFreshOneWhereNoOtherServerIsLeft() {
        LoadBalancer balancer = servers(1, policy -> policy);
        Attempts attempts = attempts(balancer, "GET");
        attempts.first();
        assertThat(attempts.needsFreshConnection()).isFalse();
        assertThat(attempts.failed(Outcome.brokenOnKeptAlive(null), true)).isTrue();
        assertThat(attempts.proceed()).isNotNull();
        assertThat(attempts.needsFreshConnection()).isTrue();
        assertThat(attempts.failed(Outcome.brokenOnKeptAlive(null), true)).isFalse();
        assertThat(inFlight(balancer)).isZero();
    }

    @Test
    void aKeptAliveConnectionThatBrokeSendsAPostNowhereAndAGetToAnotherServer() {
        assertThat(tries(servers(1, policy -> policy), "POST", Outcome.brokenOnKeptAlive(null)))
                .isEqualTo(1);
        assertThat(tries(servers(1, policy -> policy.attempts(1)), Outcome.brokenOnKeptAlive(null)))
                .isEqualTo(1);

        Attempts attempts = attempts(servers(2, policy -> policy), "GET");
        String first = attempts.first().endpoint().id();
        assertThat(attempts.failed(Outcome.brokenOnKeptAlive(null), true)).isTrue();
        assertThat(attempts.proceed().endpoint().id()).isNotEqualTo(first);
        assertThat(attempts.needsFreshConnection()).isFalse();
        assertThat(attempts.failed(BROKEN, true)).as("both have been tried").isFalse();
    }

    // Helpers.

    private int tries(LoadBalancer balancer, Outcome end) {
        return tries(balancer, "GET", end);
    }

    private int tries(LoadBalancer balancer, String method, Outcome end) {
        Attempts attempts = attempts(balancer, method);
        attempts.first();
        int tries = 1;
        while (attempts.failed(end, true)) {
            time.advanceMillis(attempts.delayNanos() / MILLI + 1);
            assertThat(attempts.proceed()).isNotNull();
            tries++;
        }
        assertThat(inFlight(balancer)).isZero();
        return tries;
    }

    private static Attempts attempts(LoadBalancer balancer, String method) {
        return new Attempts(
                balancer,
                new RequestFacts() {
                    @Override
                    public String method() {
                        return method;
                    }
                },
                () -> 0L);
    }

    private LoadBalancer servers(int count, UnaryOperator<RetryPolicy.Builder> policy) {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders")
                .scheduler(time)
                .retry(policy.apply(RetryPolicy.builder()).build());
        for (int i = 0; i < count; i++) {
            builder.endpoint("http://server" + i);
        }
        return builder.build();
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
