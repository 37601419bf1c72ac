package io.fairlead.benchmarks.simulation;

import io.fairlead.LoadBalancerBuilder;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.health.SlowStart;
import io.fairlead.limit.AdaptiveLimit;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a user has configured beside servers and strategy.
 *
 * @param name in figures and plots
 * @param limits of each try; the adapters take them from the service's transport
 * @param configuration what is switched on
 */
record Settings(String name, TimeLimits limits, Consumer<LoadBalancerBuilder> configuration) {
    private static final TimeLimits SHORT = TimeLimits.of(Duration.ofMillis(500), Duration.ofSeconds(1));

    /** Nothing: the time limits are those of a transport that says nothing, and no server is ejected. */
    static final Settings DEFAULTS =
            new Settings("defaults", TimeLimits.of(Duration.ofSeconds(5), Duration.ofSeconds(30)), balancer -> {});

    /** Time limits that fit the service, and ejection as it is by default. */
    static final Settings EJECTING = new Settings(
            "ejecting",
            SHORT,
            balancer -> balancer.passiveHealthCheck(PassiveHealthCheck.builder().build()));

    /** What the report advises; an option more is a line more. */
    static final Settings ADVISED = new Settings(
            "advised",
            SHORT,
            balancer -> balancer.passiveHealthCheck(PassiveHealthCheck.builder()
                            .baseEjection(Duration.ofSeconds(5))
                            .maxEjectedPercent(34)
                            .build())
                    .adaptiveLimit(AdaptiveLimit.builder().build())
                    .slowStart(SlowStart.of(Duration.ofSeconds(10))));

    /** All of them, in the order of the report. */
    static List<Settings> all() {
        return List.of(DEFAULTS, EJECTING, ADVISED);
    }
}
