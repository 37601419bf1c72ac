package io.fairlead.config;

import io.fairlead.health.CircuitBreaker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@code circuitBreaker}. */
final class CircuitBreakerReader {
    private CircuitBreakerReader() {}

    static @Nullable CircuitBreaker read(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        node.allow(
                "failurePercent",
                "minRequests",
                "window",
                "openDuration",
                "maxOpenDuration",
                "probes",
                "requiredSuccesses");
        CircuitBreaker.Builder breaker = CircuitBreaker.builder();
        CircuitBreaker defaults = breaker.build();
        breaker.failurePercent(node.get("failurePercent").integer(1, 100, defaults.failurePercent()));
        breaker.minRequests(node.get("minRequests").integer(1, Integer.MAX_VALUE, defaults.minRequests()));
        breaker.window(HealthReader.positive(node.get("window"), defaults.window()));
        Duration open = HealthReader.positive(node.get("openDuration"), defaults.openDuration());
        Duration most = HealthReader.positive(node.get("maxOpenDuration"), defaults.maxOpenDuration());
        breaker.openDuration(open);
        breaker.maxOpenDuration(most);
        if (most.compareTo(open) < 0
                && !node.get("openDuration").isMissing()
                && !node.get("maxOpenDuration").isMissing()) {
            node.get("maxOpenDuration").problem("is less than openDuration");
        }
        breaker.probes(node.get("probes").integer(1, Integer.MAX_VALUE, defaults.probes()));
        breaker.requiredSuccesses(
                node.get("requiredSuccesses").integer(1, Integer.MAX_VALUE, defaults.requiredSuccesses()));
        return breaker.build();
    }
}
