package io.fairlead.config;

import io.fairlead.health.FailurePercentageEjection;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.OutlierEjection;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.health.SuccessRateEjection;
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
        node.allow(
                "maxFailedAttempts",
                "failureWindow",
                "consecutiveGatewayFailures",
                "maxFails",
                "failTimeout",
                "interval",
                "successRate",
                "failurePercentage",
                "baseEjection",
                "maxEjection",
                "maxEjectedPercent");
        PassiveHealthCheck.Builder check = PassiveHealthCheck.builder();
        PassiveHealthCheck defaults = check.build();
        if (!node.get("maxFailedAttempts").isMissing()) {
            check.maxFailedAttempts(
                    node.get("maxFailedAttempts").integer(1, Integer.MAX_VALUE, defaults.maxFailedAttempts()));
        }
        check.consecutiveGatewayFailures(node.get("consecutiveGatewayFailures")
                .integer(0, Integer.MAX_VALUE, defaults.consecutiveGatewayFailures()));
        check.maxFails(node.get("maxFails").integer(0, 1000, defaults.maxFails()));
        check.failTimeout(positive(node.get("failTimeout"), defaults.failTimeout()));
        check.interval(positive(node.get("interval"), defaults.interval()));
        check.successRate(successRate(node.get("successRate")));
        check.failurePercentage(failurePercentage(node.get("failurePercentage")));
        check.failureWindow(positive(node.get("failureWindow"), defaults.failureWindow()));
        ConfigNode base = node.get("baseEjection");
        ConfigNode max = node.get("maxEjection");
        if (!base.isMissing()) {
            check.baseEjection(positive(base, defaults.baseEjection()));
        }
        if (!max.isMissing()) {
            check.maxEjection(positive(max, defaults.maxEjection()));
        }
        check.maxEjectedPercent(node.get("maxEjectedPercent").integer(0, 100, defaults.maxEjectedPercent()));
        PassiveHealthCheck built = check.build();
        if (built.maxEjection().compareTo(built.baseEjection()) < 0) {
            max.problem("is less than baseEjection");
        }
        return built;
    }

    private static @Nullable SuccessRateEjection successRate(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        SuccessRateEjection defaults = SuccessRateEjection.DEFAULT;
        return outliers(node, "stdevFactor", defaults)
                .withStdevFactor(node.get("stdevFactor").integer(0, 100_000, defaults.stdevFactor()));
    }

    private static @Nullable FailurePercentageEjection failurePercentage(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        FailurePercentageEjection defaults = FailurePercentageEjection.DEFAULT;
        return outliers(node, "threshold", defaults)
                .withThreshold(node.get("threshold").integer(1, 100, defaults.threshold()));
    }

    private static <E extends OutlierEjection<E>> E outliers(ConfigNode node, String limit, E defaults) {
        node.allow(limit, "minimumHosts", "requestVolume", "enforcementPercentage");
        return defaults.withMinimumHosts(atLeastOne(node.get("minimumHosts"), defaults.minimumHosts()))
                .withRequestVolume(atLeastOne(node.get("requestVolume"), defaults.requestVolume()))
                .withEnforcementPercentage(
                        node.get("enforcementPercentage").integer(0, 100, defaults.enforcementPercentage()));
    }

    private static int atLeastOne(ConfigNode node, int orElse) {
        return node.integer(1, Integer.MAX_VALUE, orElse);
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
