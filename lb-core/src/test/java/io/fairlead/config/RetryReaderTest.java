package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ServiceSettings;
import io.fairlead.retry.Backoff;
import io.fairlead.retry.HedgePolicy;
import io.fairlead.retry.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class RetryReaderTest {
    @Test
    void everyKeyArrivesInThePolicies() {
        ServiceSettings settings = settings("retry:\n"
                + "          attempts: 4\n"
                + "          perTryTimeout: 2s\n"
                + "          timeout: 10s\n"
                + "          methods: [GET, post]\n"
                + "          statuses: [502, 503]\n"
                + "          failures: [connect, Timeout]\n"
                + "          backoff: {initial: 10ms, max: 1s, jitter: 20, afterConnect: true}\n"
                + "          retryAfter: false\n"
                + "          maxRetryAfter: 5s\n"
                + "          bufferBody: 1MiB\n"
                + "          budget: {percent: 30, minPerSecond: 3}\n"
                + "        hedge: {quantile: 0.9, minDelay: 5ms, maxExtra: 2, budgetPercent: 7}");

        assertThat(settings.retry())
                .isEqualTo(RetryPolicy.builder()
                        .attempts(4)
                        .perTryTimeout(Duration.ofSeconds(2))
                        .timeout(Duration.ofSeconds(10))
                        .methods(Arrays.asList("GET", "POST"))
                        .statuses(Arrays.asList(502, 503))
                        .failures(Arrays.asList(RetryPolicy.Failure.CONNECT, RetryPolicy.Failure.TIMEOUT))
                        .backoff(Backoff.of(Duration.ofMillis(10), Duration.ofSeconds(1), 20, true))
                        .retryAfter(false)
                        .maxRetryAfter(Duration.ofSeconds(5))
                        .bufferBody(1 << 20)
                        .budget(30, 3)
                        .build());
        assertThat(settings.hedge())
                .isEqualTo(HedgePolicy.builder()
                        .quantile(0.9)
                        .minDelay(Duration.ofMillis(5))
                        .maxExtra(2)
                        .budgetPercent(7)
                        .build());
    }

    @Test
    void whatIsNotSaidIsTheDefault() {
        assertThat(settings("retry: {}").retry()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(settings("").retry()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(settings("").hedge()).isNull();
        assertThat(settings("hedge: {}").hedge())
                .isEqualTo(HedgePolicy.builder().build());
        assertThat(settings("retry: {backoff: {}}").retry().backoff()).isEqualTo(Backoff.USUAL);
        assertThat(settings("retry: {failures: []}").retry().failures()).isEmpty();
        assertThat(settings("retry: {methods: []}").retry().methods()).isEmpty();
        assertThat(settings("retry: {bufferBody: 0}").retry().bufferBody()).isZero();
        assertThat(settings("retry: {backoff: {initial: 2s}}").retry().backoff().max())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void mistakesAreToldWithTheirLines() {
        ConfigFile file = file("retry:\n"
                + "          attempts: 0\n"
                + "          perTryTimeout: -1s\n"
                + "          methods: [GET, \"a b\"]\n"
                + "          statuses: [503, 200]\n"
                + "          failures: [refused]\n"
                + "          backoff: {initial: 2s, max: 1s, jitter: 101}\n"
                + "          bufferBody: 64 potatoes\n"
                + "          budget: {percents: 20}\n"
                + "        hedge: {quantile: 1.0, maxExtra: 9, minDelay: soon}");

        String path = "http.services.orders.loadBalancer.";
        assertThat(file.problems().list())
                .extracting(Object::toString)
                .containsExactly(
                        "lb.yaml:7: " + path + "retry.attempts: must be a whole number from 1 to 10, not '0'",
                        "lb.yaml:8: " + path + "retry.perTryTimeout: must be a duration such as 250ms, 10s, 1m30s or a"
                                + " number of seconds, a year at most, not '-1s'",
                        "lb.yaml:9: " + path + "retry.methods[1]: 'a b' is not the name of a method",
                        "lb.yaml:10: " + path + "retry.statuses[1]: must be a whole number from 400 to 599, not '200'",
                        "lb.yaml:11: " + path + "retry.failures[0]: must be connect, broken or timeout, not 'refused'",
                        "lb.yaml:12: " + path + "retry.backoff.max: is less than initial",
                        "lb.yaml:12: " + path + "retry.backoff.jitter: must be a whole number from 0 to 100, not '101'",
                        "lb.yaml:13: " + path + "retry.bufferBody: must be a number of bytes such as 65536, 64KiB or"
                                + " 1MiB, 64MiB at most, not '64 potatoes'",
                        "lb.yaml:14: " + path
                                + "retry.budget.percents: unknown key 'percents'; did you mean 'percent'?",
                        "lb.yaml:15: " + path + "hedge.quantile: quantile must be from 0.5 to 0.999, not 1.0",
                        "lb.yaml:15: " + path + "hedge.minDelay: must be a duration such as 250ms, 10s, 1m30s or a"
                                + " number of seconds, a year at most, not 'soon'",
                        "lb.yaml:15: " + path + "hedge.maxExtra: must be a whole number from 1 to 3, not '9'");
    }

    private static ServiceSettings settings(String keys) {
        ConfigFile file = file(keys);
        assertThat(file.problems().list()).isEmpty();
        return ((LoadBalancerSpec) file.services().get(0)).settings();
    }

    private static ConfigFile file(String keys) {
        return ConfigFile.parse(
                "lb.yaml",
                "http:\n  services:\n    orders:\n      loadBalancer:\n"
                        + "        servers: [{url: \"http://a:1\"}]\n        " + keys + "\n");
    }
}
