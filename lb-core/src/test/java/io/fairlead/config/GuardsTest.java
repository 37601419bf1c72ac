package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.health.CircuitBreaker;
import io.fairlead.health.FailurePercentageEjection;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.health.SuccessRateEjection;
import io.fairlead.limit.AdaptiveLimit;
import io.fairlead.limit.Limits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Ejection, circuit breakers and limits in the file. */
final class GuardsTest {
    private static final String AT = "http.services.a.loadBalancer.";

    @Test
    void everyKeyOfTheDetectorsIsRead() {
        LoadBalancerSpec spec = service(
                "passiveHealthCheck: {consecutiveGatewayFailures: 4, maxFails: 3, failTimeout: 7s, interval: 2s,"
                        + " successRate: {stdevFactor: 1, minimumHosts: 2, requestVolume: 3, enforcementPercentage: 4},"
                        + " failurePercentage: {threshold: 5, minimumHosts: 6, requestVolume: 7,"
                        + " enforcementPercentage: 8}}");
        assertThat(spec.passiveHealthCheck())
                .isEqualTo(PassiveHealthCheck.builder()
                        .consecutiveGatewayFailures(4)
                        .maxFails(3)
                        .failTimeout(Duration.ofSeconds(7))
                        .interval(Duration.ofSeconds(2))
                        .successRate(SuccessRateEjection.DEFAULT
                                .withStdevFactor(1)
                                .withMinimumHosts(2)
                                .withRequestVolume(3)
                                .withEnforcementPercentage(4))
                        .failurePercentage(FailurePercentageEjection.DEFAULT
                                .withThreshold(5)
                                .withMinimumHosts(6)
                                .withRequestVolume(7)
                                .withEnforcementPercentage(8))
                        .build());
    }

    @Test
    void theOneOfTheTwoTimesOfEjectionThatIsNotGivenFollowsTheOther() {
        PassiveHealthCheck longBase =
                service("passiveHealthCheck: {baseEjection: 10m}").passiveHealthCheck();
        assertThat(longBase.maxEjection()).isEqualTo(Duration.ofMinutes(10));
        PassiveHealthCheck shortMax =
                service("passiveHealthCheck: {maxEjection: 5s}").passiveHealthCheck();
        assertThat(shortMax.baseEjection()).isEqualTo(Duration.ofSeconds(5));
        PassiveHealthCheck usual = service("passiveHealthCheck: {}").passiveHealthCheck();
        assertThat(usual.baseEjection()).isEqualTo(Duration.ofSeconds(30));
        assertThat(usual.maxEjection()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void anEmptyGroupHasTheDefaultsAndAnotherDetectorSwitchesTheFirstOff() {
        LoadBalancerSpec spec = service("passiveHealthCheck: {successRate: {}}, circuitBreaker: {}, adaptiveLimit: {}");
        assertThat(spec.passiveHealthCheck().successRate()).isEqualTo(SuccessRateEjection.DEFAULT);
        assertThat(spec.passiveHealthCheck().maxFailedAttempts()).isZero();
        assertThat(service("passiveHealthCheck: {}").passiveHealthCheck().maxFailedAttempts())
                .isEqualTo(5);
        assertThat(spec.circuitBreaker()).isEqualTo(CircuitBreaker.builder().build());
        assertThat(spec.adaptiveLimit()).isEqualTo(AdaptiveLimit.builder().build());
        assertThat(spec.limits()).isEqualTo(Limits.NONE);
    }

    @Test
    void everyKeyOfBreakerAndLimitsIsRead() {
        LoadBalancerSpec spec = service("circuitBreaker: {failurePercent: 1, minRequests: 2, window: 3s,"
                + " openDuration: 4s, maxOpenDuration: 5s, probes: 6, requiredSuccesses: 7},"
                + " limits: {maxInFlightPerServer: 1, maxInFlight: 2, queue: 3, queueTimeout: 4s},"
                + " adaptiveLimit: {algorithm: Gradient, initial: 3, min: 2, max: 4, backoff: 0.5, tolerance: 2,"
                + " smoothing: 0.1, window: 2s}");
        assertThat(spec.circuitBreaker())
                .isEqualTo(CircuitBreaker.builder()
                        .failurePercent(1)
                        .minRequests(2)
                        .window(Duration.ofSeconds(3))
                        .openDuration(Duration.ofSeconds(4))
                        .maxOpenDuration(Duration.ofSeconds(5))
                        .probes(6)
                        .requiredSuccesses(7)
                        .build());
        assertThat(spec.limits())
                .isEqualTo(Limits.NONE
                        .withMaxInFlightPerServer(1)
                        .withMaxInFlight(2)
                        .withQueue(3)
                        .withQueueTimeout(Duration.ofSeconds(4)));
        assertThat(spec.adaptiveLimit())
                .isEqualTo(AdaptiveLimit.builder()
                        .algorithm(AdaptiveLimit.Algorithm.GRADIENT)
                        .initial(3)
                        .min(2)
                        .max(4)
                        .backoff(0.5)
                        .tolerance(2)
                        .smoothing(0.1)
                        .window(Duration.ofSeconds(2))
                        .build());
    }

    @Test
    void eachMistakeIsToldWithItsLine() {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                String.join(
                        "\n",
                        "http:",
                        "  services:",
                        "    a:",
                        "     loadBalancer:",
                        "      servers: []",
                        "      circuitBreaker:",
                        "        failurePercent: 0",
                        "        openDuration: 2m",
                        "        maxOpenDuration: 1m",
                        "        probe: 1",
                        "      limits:",
                        "        maxInFlight: -1",
                        "        queueTimeout: 0",
                        "      adaptiveLimit:",
                        "        algorithm: gradiant",
                        "        min: 9",
                        "        max: 8",
                        "        backoff: 2",
                        "      passiveHealthCheck:",
                        "        maxFails: 1001",
                        "        successRate: {stdevFactor: -1}",
                        "        failurePercentage: {thresholds: 3}"));
        assertThat(file.problems().list())
                .extracting(Object::toString)
                .containsExactly(
                        "lb.yaml:7: " + AT + "circuitBreaker.failurePercent: must be a whole number from 1 to 100,"
                                + " not '0'",
                        "lb.yaml:9: " + AT + "circuitBreaker.maxOpenDuration: is less than openDuration",
                        "lb.yaml:10: " + AT + "circuitBreaker.probe: unknown key 'probe'; did you mean 'probes'?",
                        "lb.yaml:12: " + AT + "limits.maxInFlight: must be a whole number of at least 0, not '-1'",
                        "lb.yaml:13: " + AT + "limits.queueTimeout: must be more than zero",
                        "lb.yaml:15: " + AT + "adaptiveLimit.algorithm: there is no algorithm 'gradiant'; did you"
                                + " mean 'gradient'?",
                        "lb.yaml:17: " + AT + "adaptiveLimit.max: is less than min",
                        "lb.yaml:18: " + AT + "adaptiveLimit.backoff: backoff must be from 0.1 to 1.0, not 2.0",
                        "lb.yaml:20: " + AT + "passiveHealthCheck.maxFails: must be a whole number from 0 to 1000,"
                                + " not '1001'",
                        "lb.yaml:21: " + AT + "passiveHealthCheck.successRate.stdevFactor: must be a whole number"
                                + " from 0 to 100000, not '-1'",
                        "lb.yaml:22: " + AT + "passiveHealthCheck.failurePercentage.thresholds: unknown key"
                                + " 'thresholds'; did you mean 'threshold'?");
    }

    private static LoadBalancerSpec service(String keys) {
        ConfigFile file =
                ConfigFile.parse("lb.yaml", "http: {services: {a: {loadBalancer: {servers: [], " + keys + "}}}}");
        assertThat(file.problems().list()).isEmpty();
        return (LoadBalancerSpec) file.services().get(0);
    }
}
