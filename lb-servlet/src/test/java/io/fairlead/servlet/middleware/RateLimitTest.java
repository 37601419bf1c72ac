package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RateLimitTest {
    private final AtomicLong clock = new AtomicLong(-5);

    private Middleware limit(String yaml) {
        return Configured.of(yaml, node -> RateLimit.read(node, clock::get));
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    private static FakeRequest from(String address) {
        return FakeRequest.get("/").from(address);
    }

    @Test
    void aBurstPassesAndThenTheAverage() {
        Middleware limit = limit("{average: 10, burst: 3}");

        for (int i = 0; i < 3; i++) {
            assertThat(from("192.0.2.1").through(limit).status()).isZero();
        }
        FakeRequest refused = from("192.0.2.1").through(limit);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.answered("Retry-After")).isEqualTo("1");

        pass(Duration.ofMillis(100));
        assertThat(from("192.0.2.1").through(limit).status()).isZero();
        assertThat(from("192.0.2.1").through(limit).status()).isEqualTo(429);

        pass(Duration.ofHours(1));
        for (int i = 0; i < 3; i++) {
            assertThat(from("192.0.2.1").through(limit).status()).isZero();
        }
        assertThat(from("192.0.2.1").through(limit).status()).isEqualTo(429);
    }

    @Test
    void aPeriodMakesRatesBelowOneASecond() {
        Middleware limit = limit("{average: 6, period: 1m}");

        assertThat(from("192.0.2.1").through(limit).status()).isZero();
        assertThat(from("192.0.2.1").through(limit).answered("Retry-After")).isEqualTo("10");
        pass(Duration.ofMillis(8_500));
        assertThat(from("192.0.2.1").through(limit).answered("Retry-After")).isEqualTo("2");
        pass(Duration.ofMillis(1_500));
        assertThat(from("192.0.2.1").through(limit).status()).isZero();
    }

    @Test
    void withoutAnAverageThereIsNoLimit() {
        Middleware limit = limit("{burst: 1}");

        for (int i = 0; i < 100; i++) {
            assertThat(from("192.0.2.1").through(limit).status()).isZero();
        }
    }

    @Test
    void everySourceHasABucketOfItsOwn() {
        Middleware limit = limit("{average: 1, period: 1h}");

        assertThat(from("192.0.2.1").through(limit).status()).isZero();
        assertThat(from("192.0.2.2").through(limit).status()).isZero();
        assertThat(from("192.0.2.1").through(limit).status()).isEqualTo(429);
    }

    @Test
    void sourcesThatAreLongUnseenAreForgottenAndThoseAreBounded() {
        RateLimit limit = (RateLimit) limit("{average: 1, burst: 2}");
        for (int i = 0; i < 70_000; i++) {
            from("10." + (i >> 16) + "." + ((i >> 8) & 255) + "." + (i & 255)).through(limit);
        }

        assertThat(limit.sources()).isLessThanOrEqualTo(65_536);

        pass(Duration.ofSeconds(4));
        assertThat(limit.sources()).isZero();
    }

    @Test
    void aSourceMayBeAFieldTheHostOrANetwork() {
        Middleware byField = limit("{average: 1, period: 1h, sourceCriterion: {requestHeaderName: X-Key}}");
        assertThat(FakeRequest.get("/").with("x-key", "a").through(byField).status())
                .isZero();
        assertThat(FakeRequest.get("/").with("x-key", "b").through(byField).status())
                .isZero();
        assertThat(FakeRequest.get("/").with("x-key", "a").through(byField).status())
                .isEqualTo(429);
        String longKey = "k".repeat(8_000);
        assertThat(FakeRequest.get("/")
                        .with("x-key", longKey + "a")
                        .through(byField)
                        .status())
                .isZero();
        assertThat(FakeRequest.get("/")
                        .with("x-key", longKey + "b")
                        .through(byField)
                        .status())
                .isZero();
        assertThat(FakeRequest.get("/")
                        .with("x-key", longKey + "a")
                        .through(byField)
                        .status())
                .isEqualTo(429);

        Middleware byHost = limit("{average: 1, period: 1h, sourceCriterion: {requestHost: true}}");
        assertThat(FakeRequest.get("/").to("http://a.example").through(byHost).status())
                .isZero();
        assertThat(FakeRequest.get("/")
                        .to("http://A.example:81")
                        .through(byHost)
                        .status())
                .isEqualTo(429);

        Middleware byNetwork = limit("{average: 1, period: 1h, sourceCriterion: {ipStrategy: {ipv6Subnet: 64}}}");
        assertThat(from("2001:db8::1").through(byNetwork).status()).isZero();
        assertThat(from("2001:db8::ffff:1").through(byNetwork).status()).isEqualTo(429);
        assertThat(from("2001:db8:0:1::1").through(byNetwork).status()).isZero();
    }

    @Test
    void whereTheStrategyFindsNoAddressTheClientsCounts() {
        Middleware limit = limit("{average: 1, period: 1h, sourceCriterion: {ipStrategy: {depth: 2}}}");

        assertThat(from("192.0.2.1").through(limit).status()).isZero();
        assertThat(from("192.0.2.2").through(limit).status()).isZero();
        assertThat(FakeRequest.get("/")
                        .from("192.0.2.3", "192.0.2.1", "10.0.0.1")
                        .through(limit)
                        .status())
                .isEqualTo(429);
    }

    @Test
    void mistakesAreTold() {
        assertThat(Configured.problems("{averge: 1, burst: -1, period: x}", RateLimit::read))
                .containsExactly(
                        ".averge: unknown key 'averge'; did you mean 'average'?",
                        ".period: must be a duration such as 250ms, 10s, 1m30s or a number of seconds, a year at most,"
                                + " not 'x'",
                        ".burst: must be a whole number from 0 to 1000000000, not '-1'");
        assertThat(Configured.problems(
                        "{average: 1, sourceCriterion: {requestHost: true, ipStrategy: {}}}", RateLimit::read))
                .containsExactly(
                        ".sourceCriterion: has more than one of ipStrategy, requestHeaderName and requestHost");
    }
}
