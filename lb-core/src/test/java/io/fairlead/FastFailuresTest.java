package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.strategy.StrategyOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Errors that come at once attract no traffic, and a server that hangs loses it before its first answer. Four servers, of
 * which three answer in 10 ms, and two requests a millisecond, for ten seconds of virtual time; no ejection, no check.
 */
final class FastFailuresTest {
    private static final int REQUESTS = 20_000;

    private final ManualScheduler time = new ManualScheduler();
    private final Map<String, Integer> picks = new HashMap<>();
    private LoadBalancer balancer = LoadBalancer.builder("none").scheduler(time).build();

    @AfterEach
    void close() {
        balancer.close();
    }

    @ParameterizedTest
    @CsvSource({
        "least-requests, 503", "p2c, 503", "leasttime, 503", "peak-ewma, 503",
        "least-requests, 500", "p2c, 500", "leasttime, 500", "peak-ewma, 500"
    })
    void aServerThatAnswersErrorsAtOnceGetsNextToNothing(String strategy, int status) {
        start(strategy);
        run(0, () -> Outcome.status(status), false);
        assertThat(share()).isLessThan(0.02);
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-requests", "p2c", "leasttime", "peak-ewma"})
    void soDoesOneWhoseErrorsAreToldWithTheHeadOfTheAnswer(String strategy) {
        start(strategy);
        run(0, () -> Outcome.status(503), true);
        assertThat(share()).isLessThan(0.02);
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-requests", "p2c", "leasttime", "peak-ewma"})
    void soDoesOneThatBreaksEveryConnection(String strategy) {
        start(strategy);
        run(0, () -> Outcome.broken(new IOException("reset")), false);
        assertThat(share()).isLessThan(0.02);
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-requests", "p2c", "leasttime", "peak-ewma"})
    void aServerThatFailsHalfOfTheTimeDoesNotGetMoreThanItsPart(String strategy) {
        start(strategy);
        SplittableRandom random = new SplittableRandom(5);
        run(1, () -> random.nextBoolean() ? Outcome.status(503) : Outcome.status(200), false);
        assertThat(share()).isLessThan(0.25);
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-requests", "p2c", "leasttime", "peak-ewma"})
    void aServerThatHasRecoveredIsBackWithinSeconds(String strategy) {
        start(strategy);
        run(0, () -> Outcome.status(503), false);
        picks.clear();
        run(10, () -> Outcome.status(200), false);
        picks.clear();
        run(10, () -> Outcome.status(200), false);
        assertThat(share()).isGreaterThan(0.15);
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-requests", "p2c", "leasttime", "peak-ewma"})
    void aServerThatHangsLosesItsTrafficBeforeItsFirstAnswer(String strategy) {
        start(strategy);
        run(-1, Outcome::success, false);
        assertThat(share()).isLessThan(0.01);
        assertThat(inFlight("bad:80")).isEqualTo(picks.getOrDefault("bad:80", 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev"})
    void aBoundOfTheLoadTakesItFromAHangingServerOfAHashStrategyToo(String strategy) {
        balancer.close();
        balancer = servers(LoadBalancer.builder("orders")
                .strategy(strategy)
                .options(StrategyOptions.DEFAULT.withHashBy("$arg_user").withBoundedLoad(1.25)));
        run(-1, Outcome::success, false);
        assertThat(share()).isLessThan(0.02);
    }

    @Test
    void anErrorNeverLowersTheAverageOfTheLatency() {
        LatencyAverage average = new LatencyAverage(java.time.Duration.ofSeconds(10));
        long second = 1_000_000_000L;
        long word = average.observed(0, 10_000_000, second);
        long after = average.erred(word, 1_000, 20 * second);
        assertThat(average.nanos(after, 20 * second)).isGreaterThanOrEqualTo(10_000_000 * 0.999);
        long slow = average.erred(word, 50_000_000, 20 * second);
        assertThat(average.nanos(slow, 20 * second)).as("a slow one raises it").isGreaterThan(49_000_000);
        assertThat(average.erred(0, 1_000, second)).as("it is no first sample").isZero();
    }

    private void start(String strategy) {
        balancer.close();
        balancer = servers(LoadBalancer.builder("orders").strategy(strategy));
    }

    private LoadBalancer servers(LoadBalancerBuilder builder) {
        SplittableRandom random = new SplittableRandom(7);
        return builder.endpoint("http://bad")
                .endpoint("http://x")
                .endpoint("http://y")
                .endpoint("http://z")
                .scheduler(time)
                .random(random::nextLong)
                .build();
    }

    /**
     * Sends the requests.
     *
     * @param badMillis how long the bad server takes; below 0: for ever
     */
    private void run(int badMillis, Supplier<Outcome> bad, boolean withHead) {
        for (int i = 0; i < REQUESTS; i++) {
            String user = "user=" + i % 997;
            Pick pick = balancer.pick(new RequestFacts() {
                @Override
                public String query() {
                    return user;
                }
            });
            picks.merge(pick.endpoint().id(), 1, Integer::sum);
            if (!pick.endpoint().id().equals("bad:80")) {
                time.schedule(() -> pick.done(Outcome.status(200)), 10_000_000L);
            } else if (badMillis >= 0) {
                time.schedule(() -> end(pick, bad.get(), withHead), badMillis * 1_000_000L + 100_000L);
            }
            if (i % 2 == 1) {
                time.advanceMillis(1);
            }
        }
    }

    private static void end(Pick pick, Outcome outcome, boolean withHead) {
        if (withHead) {
            pick.responded(outcome.status());
        }
        pick.done(outcome);
    }

    private double share() {
        return (double) picks.getOrDefault("bad:80", 0) / REQUESTS;
    }

    private int inFlight(String id) {
        return balancer.snapshot().endpoint(id).inFlight();
    }
}
