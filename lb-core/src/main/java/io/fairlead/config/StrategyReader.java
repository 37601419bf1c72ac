package io.fairlead.config;

import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.StrategyOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Reads the strategy of a service and its options. The only place that maps keys of {@code loadBalancer} to
 * {@link StrategyOptions}: a new option is a key and a line here.
 */
final class StrategyReader {
    private static final String[] KEYS = {
        "strategy", "hashBy", "choices", "decay", "pointsPerServer", "hashFunction", "tableSize", "boundedLoad"
    };

    private final ConfigNode node;
    private StrategyOptions options = StrategyOptions.DEFAULT;

    private StrategyReader(ConfigNode node) {
        this.node = node;
    }

    /** The keys that are read here, before others of the same mapping. */
    static String[] withKeys(String... others) {
        List<String> keys = new ArrayList<>(Arrays.asList(KEYS));
        keys.addAll(Arrays.asList(others));
        return keys.toArray(new String[0]);
    }

    static void read(ConfigNode loadBalancer, LoadBalancerSpec.Builder spec) {
        StrategyReader reader = new StrategyReader(loadBalancer);
        reader.readOptions();
        spec.options = reader.options;
        ConfigNode strategy = loadBalancer.get("strategy");
        strategy.give(strategy.isMissing() ? null : strategy.requiredString(), name -> {
            // Made once here and thrown away, for what it says of the name and of the options.
            Strategies.create(name, reader.options);
            spec.strategy = name;
        });
    }

    private void readOptions() {
        text("hashBy", StrategyOptions::withHashBy);
        text("hashFunction", StrategyOptions::withHashFunction);
        number("choices", StrategyOptions::withChoices);
        number("pointsPerServer", StrategyOptions::withPointsPerServer);
        number("tableSize", StrategyOptions::withTableSize);
        ConfigNode decay = node.get("decay");
        decay.give(decay.duration(), value -> options = options.withDecay(value));
        ConfigNode bound = node.get("boundedLoad");
        bound.give(bound.decimal(), value -> options = options.withBoundedLoad(value));
    }

    private void text(String key, BiFunction<StrategyOptions, String, StrategyOptions> with) {
        ConfigNode option = node.get(key);
        option.give(option.isMissing() ? null : option.requiredString(), value -> options = with.apply(options, value));
    }

    private void number(String key, BiFunction<StrategyOptions, Integer, StrategyOptions> with) {
        ConfigNode option = node.get(key);
        if (!option.isMissing()) {
            // The options know their ranges; what is no number at all is told here, and the default stays.
            int value = option.integer(Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
            boolean isNumber = value != 0 || option.integer(Integer.MIN_VALUE, Integer.MAX_VALUE, 1) == 0;
            option.give(isNumber ? value : null, given -> options = with.apply(options, given));
        }
    }
}
