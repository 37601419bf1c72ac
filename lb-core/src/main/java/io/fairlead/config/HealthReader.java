package io.fairlead.config;

import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@code healthCheck} and {@code passiveHealthCheck}. */
final class HealthReader {
    private HealthReader() {}

    static @Nullable HealthCheck active(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        return new ActiveCheckReader(node).read();
    }

    static @Nullable PassiveHealthCheck passive(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        node.allow("maxFailedAttempts", "failureWindow", "baseEjection", "maxEjection", "maxEjectedPercent");
        PassiveHealthCheck.Builder check = PassiveHealthCheck.builder();
        PassiveHealthCheck defaults = check.build();
        check.maxFailedAttempts(
                node.get("maxFailedAttempts").integer(1, Integer.MAX_VALUE, defaults.maxFailedAttempts()));
        check.failureWindow(positive(node.get("failureWindow"), defaults.failureWindow()));
        Duration base = positive(node.get("baseEjection"), defaults.baseEjection());
        Duration max = positive(node.get("maxEjection"), defaults.maxEjection());
        check.baseEjection(base);
        check.maxEjection(max);
        check.maxEjectedPercent(node.get("maxEjectedPercent").integer(0, 100, defaults.maxEjectedPercent()));
        if (max.compareTo(base) < 0
                && !node.get("baseEjection").isMissing()
                && !node.get("maxEjection").isMissing()) {
            node.get("maxEjection").problem("is less than baseEjection");
        }
        return check.build();
    }

    static Duration positive(ConfigNode node, Duration orElse) {
        Duration duration = node.duration(orElse);
        if (duration.isZero()) {
            node.problem("must be more than zero");
            return orElse;
        }
        return duration;
    }
}
