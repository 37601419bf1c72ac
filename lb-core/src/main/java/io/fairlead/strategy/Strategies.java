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
        throw new IllegalArgumentException("unknown strategy '" + name + "'; did you mean '"
                + Nearest.to(name.toLowerCase(Locale.ROOT), known) + "'?");
    }

    private static Map<String, Function<StrategyOptions, Strategy>> builtIn() {
        Map<String, Function<StrategyOptions, Strategy>> strategies = new LinkedHashMap<>();
        strategies.put("round-robin", options -> new RoundRobin());
        strategies.put("wrr", options -> new SmoothWeighted());
        strategies.put("random", options -> new UniformRandom());
        strategies.put("least-requests", options -> new LeastRequests());
        strategies.put("p2c", options -> new PowerOfTwoChoices());
        strategies.put("hrw", options -> new Rendezvous(HashKey.parse(options.hashBy())));
        return Collections.unmodifiableMap(strategies);
    }
}
