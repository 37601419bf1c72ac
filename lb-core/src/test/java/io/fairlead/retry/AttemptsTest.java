package io.fairlead.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.ManualScheduler;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AttemptsTest {
    private static final Outcome REFUSED = Outcome.connectFailed(new ConnectException());
    private static final Outcome BROKEN = Outcome.broken(new IOException());

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PATCH", "BREW"})
    void whatWasNotSentGoesToAnotherServerWhateverItsMethod(String method) {
        LoadBalancer balancer = servers(2);
        Attempts attempts = Attempts.of(balancer, request(method));
        String first = attempts.first().endpoint().id();
        Pick second = attempts.next(REFUSED, true);
        assertThat(second).isNotNull();
        assertThat(second.endpoint().id()).isNotEqualTo(first);
        assertThat(attempts.next(REFUSED, true))
                .as("both servers have been tried")
                .isNull();
        assertNothingInFlight(balancer);
    }

    @Test
    void goesToThreeServersAtTheMostAndToNoneTwice() {
        Attempts attempts = Attempts.of(servers(5), request("GET"));
        Set<String> tried = new LinkedHashSet<>();
        Pick pick = attempts.first();
        while (pick != null) {
            assertThat(tried.add(pick.endpoint().id())).isTrue();
            pick = attempts.next(REFUSED, true);
        }
        assertThat(tried).hasSize(3);
    }

    @Test
    void timesBeyondAllBoundsAreTakenAsTheLongest() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        LoadBalancer balancer = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .endpoint("http://b")
                .scheduler(new ManualScheduler())
                .retry(RetryPolicy.builder()
                        .timeout(forever)
                        .perTryTimeout(forever)
                        .maxRetryAfter(forever)
                        .build())
                .build();
        Attempts attempts = Attempts.of(balancer, request("GET"));
        attempts.first();
        assertThat(attempts.tryLimitNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(attempts.next(BROKEN, true)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})
    void aBrokenConnectionIsRetriedWhereSendingTwiceDoesNoHarm(String method) {
        Attempts attempts = Attempts.of(servers(2), request(method));
        attempts.first();
        assertThat(attempts.next(BROKEN, true)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "CONNECT", "BREW", ""})
    void aBrokenConnectionIsNotRetriedForOtherMethods(String method) {
        Attempts attempts = Attempts.of(servers(2), request(method));
        attempts.first();
        assertThat(attempts.next(BROKEN, true)).isNull();
    }

    @Test
    void nothingIsRetriedWithoutItsBody() {
        Attempts attempts = Attempts.of(servers(2), request("PUT"));
        attempts.first();
        assertThat(attempts.next(REFUSED, false)).isNull();
    }

    @Test
    void anAnswerATimeLimitAndACancelAreNotRetried() {
        for (Outcome end : new Outcome[] {Outcome.timedOut(null), Outcome.cancelled(), Outcome.status(503)}) {
            Attempts attempts = Attempts.of(servers(2), request("GET"));
            attempts.first();
            assertThat(attempts.next(end, true)).as("%s", end).isNull();
        }
    }

    @Test
    void aStaleConnectionIsFollowedByAServerThatIsNotTriedWhileOneIsLeft() {
        LoadBalancer balancer = servers(4);
        Attempts attempts = Attempts.of(balancer, request("POST"));
        Set<String> asked = new LinkedHashSet<>();
        asked.add(attempts.first().endpoint().id());
        for (int i = 0; i < 3; i++) {
            asked.add(attempts.next(Outcome.stale(), true).endpoint().id());
        }
        assertThat(asked).hasSize(4);
        assertThat(attempts.next(Outcome.stale(), true)).isNotNull();
    }

    @Test
    void aStaleConnectionMayGoToTheSameServerAgainButNotForever() {
        LoadBalancer balancer = servers(1);
        Attempts attempts = Attempts.of(balancer, request("POST"));
        Pick pick = attempts.first();
        int tries = 0;
        while (pick != null) {
            tries++;
            pick = attempts.next(Outcome.stale(), true);
        }
        assertThat(tries).isEqualTo(11);
        assertNothingInFlight(balancer);
    }

    @Test
    void onlyRetriesOfWhatMayHaveBeenSentAreBudgeted() {
        LoadBalancer balancer = servers(2);
        int retried = 0;
        for (int i = 0; i < 100; i++) {
            Attempts attempts = Attempts.of(balancer, request("GET"));
            attempts.first();
            Pick next = attempts.next(BROKEN, true);
            if (next != null) {
                retried++;
                next.success();
            }
        }
        // One second's worth (10) and a fifth of 100 requests, with a manual clock that stands still.
        assertThat(retried).isEqualTo(30);
        Attempts refused = Attempts.of(balancer, request("GET"));
        refused.first();
        Pick next = refused.next(REFUSED, true);
        assertThat(next).isNotNull();
        next.success();
        assertNothingInFlight(balancer);
    }

    @Test
    void saysWhichServiceHasNoServer() {
        assertThatThrownBy(() -> Attempts.of(servers(0), request("GET")).first())
                .isInstanceOf(NoEndpointException.class)
                .hasMessageContaining("'orders'");
    }

    private static LoadBalancer servers(int count) {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders").scheduler(new ManualScheduler());
        for (int i = 0; i < count; i++) {
            builder.endpoint("http://server" + i);
        }
        return builder.build();
    }

    private static RequestFacts request(String method) {
        return new RequestFacts() {
            @Override
            public String method() {
                return method;
            }
        };
    }

    private static void assertNothingInFlight(LoadBalancer balancer) {
        assertThat(balancer.snapshot().endpoints())
                .extracting(EndpointSnapshot::inFlight)
                .containsOnly(0);
    }
}
