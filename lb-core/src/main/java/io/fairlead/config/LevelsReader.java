package io.fairlead.config;

import io.fairlead.LevelOptions;
import io.fairlead.ZonePreference;
import io.fairlead.health.SlowStart;
import io.fairlead.strategy.Strategies;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads which servers of a service a pick may go to: {@code slowStart}, {@code panicThreshold}, {@code zones}. */
final class LevelsReader {
    private LevelsReader() {}

    /**
     * The options.
     *
     * @param slowStart the value of that key, which may stand beside {@code loadBalancer}
     * @param spec knows the strategy by now
     */
    static LevelOptions read(ConfigNode loadBalancer, ConfigNode slowStart, LoadBalancerSpec.Builder spec) {
        LevelOptions none = LevelOptions.DEFAULT;
        SlowStart start = slowStart(slowStart);
        if (start != null && !Strategies.create(spec.strategy, spec.options).sharesByWeight()) {
            slowStart.notice(
                    "has no effect with the strategy " + Quote.of(spec.strategy) + ", which does not share by weight");
        }
        return none.withSlowStart(start)
                .withPanicThreshold(loadBalancer.get("panicThreshold").integer(0, 100, none.panicThreshold()))
                .withOverprovisioningFactor(
                        loadBalancer.get("overprovisioningFactor").integer(100, 1000, none.overprovisioningFactor()))
                .withZones(zones(loadBalancer, loadBalancer.get("zones")));
    }

    /** A duration, or a mapping; a duration of zero is none. */
    private static @Nullable SlowStart slowStart(ConfigNode node) {
        if (!node.isMapping()) {
            return start(node.duration());
        }
        node.allow("duration", "aggression", "minWeightPercent");
        ConfigNode duration = node.get("duration");
        SlowStart start = duration.require() ? start(duration.duration()) : null;
        // What is wrong with the rest is told whatever the duration is.
        SlowStart[] read = {start == null ? SlowStart.of(Duration.ofSeconds(1)) : start};
        ConfigNode aggression = node.get("aggression");
        aggression.give(aggression.decimal(), value -> read[0] = read[0].withAggression(value));
        int percent = node.get("minWeightPercent").integer(1, 100, read[0].minWeightPercent());
        return start == null ? null : read[0].withMinWeightPercent(percent);
    }

    private static @Nullable SlowStart start(@Nullable Duration duration) {
        return duration == null || duration.isZero() ? null : SlowStart.of(duration);
    }

    private static @Nullable ZonePreference zones(ConfigNode loadBalancer, ConfigNode node) {
        if (node.isMissing()) {
            if (loadBalancer.has("zones")) {
                node.notice("has no value and no effect; write {} to prefer the zone of -D" + OwnZone.PROPERTY + " or "
                        + OwnZone.VARIABLE);
            }
            return null;
        }
        node.allow("own", "minHealthyPercent");
        if (!node.isMapping()) {
            return null;
        }
        int percent = node.get("minHealthyPercent").integer(1, 100, ZonePreference.DEFAULT_MIN_HEALTHY_PERCENT);
        ConfigNode own = node.get("own");
        if (!own.isMissing()) {
            String zone = own.requiredString();
            return zone == null ? null : ZonePreference.of(zone).withMinHealthyPercent(percent);
        }
        String zone = OwnZone.ofThisProcess();
        if (zone == null) {
            node.notice("has no effect: it has no own, and neither -D" + OwnZone.PROPERTY + " nor " + OwnZone.VARIABLE
                    + " is set");
            return null;
        }
        return ZonePreference.of(zone).withMinHealthyPercent(percent);
    }
}
