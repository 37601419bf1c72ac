package io.fairlead.config;

import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.StrategyOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the strategy of a service and its options. The only place that maps keys of {@code loadBalancer} to
 * {@link StrategyOptions}: a new option is a key and a line here.
 */
final class StrategyReader {
    private static final String[] KEYS = {"strategy", "hashBy"};

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
        ConfigNode hashBy = node.get("hashBy");
        hashBy.give(hashBy.isMissing() ? null : hashBy.requiredString(), text -> options = options.withHashBy(text));
    }
}
