package io.fairlead.config;

import io.fairlead.limit.AdaptiveLimit;
import io.fairlead.limit.Limits;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code limits} and {@code adaptiveLimit}. */
final class LimitsReader {
    private LimitsReader() {}

    static Limits limits(ConfigNode node) {
        if (node.isMissing()) {
            return Limits.NONE;
        }
        node.allow("maxInFlightPerServer", "maxInFlight", "queue", "queueTimeout");
        Limits defaults = Limits.NONE;
        return defaults.withMaxInFlightPerServer(
                        node.get("maxInFlightPerServer").integer(0, Integer.MAX_VALUE, 0))
                .withMaxInFlight(node.get("maxInFlight").integer(0, Integer.MAX_VALUE, 0))
                .withQueue(node.get("queue").integer(0, 1_000_000, 0))
                .withQueueTimeout(HealthReader.positive(node.get("queueTimeout"), defaults.queueTimeout()));
    }

    static @Nullable AdaptiveLimit adaptive(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        node.allow("algorithm", "initial", "min", "max", "backoff", "tolerance", "smoothing", "window");
        AdaptiveLimit.Builder limit = AdaptiveLimit.builder();
        AdaptiveLimit defaults = limit.build();
        algorithm(node.get("algorithm"), limit);
        int min = node.get("min").integer(1, Integer.MAX_VALUE, defaults.min());
        int max = node.get("max").integer(1, Integer.MAX_VALUE, Math.max(min, defaults.max()));
        if (min > max) {
            node.get("max").problem("is less than min");
            max = min;
        }
        limit.min(min).max(max).initial(node.get("initial").integer(1, Integer.MAX_VALUE, defaults.initial()));
        node.get("backoff").give(node.get("backoff").decimal(), limit::backoff);
        node.get("tolerance").give(node.get("tolerance").decimal(), limit::tolerance);
        node.get("smoothing").give(node.get("smoothing").decimal(), limit::smoothing);
        limit.window(HealthReader.positive(node.get("window"), defaults.window()));
        return limit.build();
    }

    private static void algorithm(ConfigNode node, AdaptiveLimit.Builder limit) {
        String name = node.string();
        if (name == null) {
            return;
        }
        switch (name.toLowerCase(Locale.ROOT)) {
            case "aimd":
                limit.algorithm(AdaptiveLimit.Algorithm.AIMD);
                break;
            case "gradient":
                limit.algorithm(AdaptiveLimit.Algorithm.GRADIENT);
                break;
            default:
                node.unknown("algorithm", name, Arrays.asList("aimd", "gradient"));
                break;
        }
    }
}
