package io.fairlead.strategy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The strategies by their names in the configuration. */
public final class Strategies {
    /** Up to so many servers are compared by leasttime, so that small services get the exact least. */
    private static final int LEASTTIME_CHOICES = 8;

    private static final Map<String, Function<StrategyOptions, Strategy>> BUILT_IN = builtIn();

    private Strategies() {}

    /** The names that {@link #create} knows without a user's class, in the order of the documentation. */
    public static List<String> names() {
        return Collections.unmodifiableList(new ArrayList<>(BUILT_IN.keySet()));
    }

    /**
     * Makes a strategy for one service.
     *
     * @param name one of {@link #names()}, without case; else the name of a strategy that {@link java.util.ServiceLoader}
     *     finds, or of a class that implements {@link Strategy}
     * @throws IllegalArgumentException there is no such strategy; the message names the nearest known one
     */
    public static Strategy create(String name, StrategyOptions options) {
        Function<StrategyOptions, Strategy> builtIn = BUILT_IN.get(name.toLowerCase(Locale.ROOT));
        if (builtIn != null) {
            return builtIn.apply(options);
        }
        OwnStrategies own = OwnStrategies.ofThisThread();
        Strategy found = own.byName(name);
        if (found == null) {
            found = own.byClass(name);
        }
        if (found != null) {
            return found;
        }
        List<String> known = new ArrayList<>(names());
        known.addAll(own.names());
        throw new IllegalArgumentException(
                "unknown strategy '" + name + "'; did you mean '" + Nearest.to(name, known) + "'?");
    }

    private static Map<String, Function<StrategyOptions, Strategy>> builtIn() {
        Map<String, Function<StrategyOptions, Strategy>> strategies = new LinkedHashMap<>();
        strategies.put("round-robin", options -> new RoundRobin());
        strategies.put("wrr", options -> new SmoothWeighted());
        strategies.put("random", options -> new UniformRandom());
        strategies.put("weighted-random", options -> new WeightedRandom());
        strategies.put("priority", options -> new Priority());
        strategies.put(
                "least-requests", options -> lowest("least-requests", new RequestsCost(), options, LowestCost.ALL));
        strategies.put("p2c", options -> lowest("p2c", new RequestsCost(), options, 2));
        strategies.put("leasttime", options -> lowest("leasttime", new LatencyCost(), options, LEASTTIME_CHOICES));
        strategies.put("peak-ewma", options -> lowest("peak-ewma", new LatencyCost(), options, 2));
        strategies.put(
                "hrw",
                options -> hash(
                        "hrw", options, (servers, scale) -> new RendezvousTable(servers, Servers.weights(servers))));
        strategies.put(
                "jump", options -> unweighted("jump", options, (servers, scale) -> new JumpTable(servers.length)));
        strategies.put(
                "direct-hash",
                options -> unweighted("direct-hash", options, (servers, scale) -> new DirectTable(servers.length)));
        strategies.put(
                "weighted-direct-hash",
                options -> hash(
                        "weighted-direct-hash",
                        options,
                        (servers, scale) -> new WeightedDirectTable(Servers.weights(servers))));
        strategies.put("ring-hash", Strategies::ringHash);
        strategies.put(
                "maglev",
                options -> hash(
                        "maglev",
                        options,
                        (servers, scale) -> MaglevTable.of(servers, Servers.weights(servers), options.tableSize())));
        return Collections.unmodifiableMap(strategies);
    }

    private static Strategy lowest(String name, Cost cost, StrategyOptions options, int choices) {
        return new LowestCost(name, cost, options.choices() == 0 ? choices : options.choices());
    }

    private static Strategy hash(String name, StrategyOptions options, HashStrategy.Tables tables) {
        return new HashStrategy(name, HashKey.parse(options.hashBy()), options.boundedLoad(), true, tables);
    }

    private static Strategy unweighted(String name, StrategyOptions options, HashStrategy.Tables tables) {
        return new HashStrategy(name, HashKey.parse(options.hashBy()), options.boundedLoad(), false, tables);
    }

    private static Strategy ringHash(StrategyOptions options) {
        HashFunction function = HashFunction.named(options.hashFunction());
        HashKey key = HashKey.parse(options.hashBy()).hashedBy(function);
        return new HashStrategy(
                "ring-hash",
                key,
                options.boundedLoad(),
                true,
                (servers, scale) ->
                        new RingTable(servers, Servers.weights(servers), scale, options.pointsPerServer(), function));
    }
}
