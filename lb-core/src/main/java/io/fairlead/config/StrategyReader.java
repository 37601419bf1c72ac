package io.fairlead.config;

import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.StrategyOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the strategy of a service and its options. The only place that maps keys of {@code loadBalancer} to
 * {@link StrategyOptions}: a new option is a key and a line here.
 */
final class StrategyReader {
    private static final String[] KEYS = {
        "strategy", "hashBy", "choices", "decay", "pointsPerServer", "hashFunction", "tableSize", "boundedLoad"
    };

    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

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
        text("hashBy", text -> options = options.withHashBy(text));
        number("choices", choices -> options = options.withChoices(choices));
        ConfigNode decay = node.get("decay");
        decay.give(decay.duration(), time -> options = options.withDecay(time));
        number("pointsPerServer", points -> options = options.withPointsPerServer(points));
        text("hashFunction", name -> options = options.withHashFunction(name));
        number("tableSize", size -> options = options.withTableSize(size));
        ConfigNode boundedLoad = node.get("boundedLoad");
        boundedLoad.give(decimal(boundedLoad), factor -> options = options.withBoundedLoad(factor));
    }

    private void text(String key, Consumer<String> option) {
        ConfigNode value = node.get(key);
        value.give(value.isMissing() ? null : value.requiredString(), option);
    }

    /** The ranges are those of {@link StrategyOptions}; here it only has to be a number. */
    private void number(String key, Consumer<Integer> option) {
        ConfigNode value = node.get(key);
        int number = value.integer(0, Integer.MAX_VALUE, -1);
        value.give(number < 0 ? null : number, option);
    }

    private static @Nullable Double decimal(ConfigNode value) {
        String text = value.string();
        if (text == null) {
            return null;
        }
        if (!DECIMAL.matcher(text).matches()) {
            value.problem("must be a number such as 1.25, not " + Quote.of(text));
            return null;
        }
        return Double.valueOf(text);
    }
}
