package io.fairlead;

import io.fairlead.health.SlowStart;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import org.jspecify.annotations.Nullable;

/** How a service's servers are picked from: its strategy, and the levels that come before it. Immutable. */
final class Balancing {
    final Strategy strategy;
    /** The latencies' average that the strategy may go by. */
    final LatencyAverage averaging;

    final LevelOptions levels;
    private final String strategyName;
    private final StrategyOptions options;

    private Balancing(LoadBalancerBuilder described, Strategy strategy, LatencyAverage averaging) {
        this.strategy = strategy;
        this.averaging = averaging;
        levels = described.levels;
        strategyName = described.strategyName;
        options = described.options;
    }

    /**
     * As it is described.
     *
     * @throws IllegalArgumentException there is no such strategy, or not with these options
     */
    static Balancing of(LoadBalancerBuilder described) {
        Strategy own = described.strategy;
        return new Balancing(
                described,
                own != null ? own : Strategies.create(described.strategyName, described.options),
                new LatencyAverage(described.options.decay()));
    }

    /** As it is described now; the strategy goes on where its name and options are the same. */
    Balancing changed(LoadBalancerBuilder described) {
        return described.strategyName.equals(strategyName) && described.options.equals(options)
                ? new Balancing(described, strategy, averaging)
                : of(described);
    }

    /** How servers warm up; null: they do not, or the strategy does not go by weight. */
    @Nullable
    SlowStart slowStart() {
        return strategy.sharesByWeight() ? levels.slowStart() : null;
    }
}
