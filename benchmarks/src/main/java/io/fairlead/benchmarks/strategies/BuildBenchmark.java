package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Weighting;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a change of the list costs, off the requests' path: building a picker of one of our strategies. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class BuildBenchmark {
    /** A strategy of ours. */
    @Param("wrr")
    public String subject = "wrr";

    /** How many servers there are. */
    @Param("10000")
    public int servers = 10_000;

    /** How they are weighted. */
    @Param("EQUAL")
    public Weighting weights = Weighting.EQUAL;

    private @Nullable Strategy strategy;
    private @Nullable PickerContext context;

    /** Makes the servers, once before the measurement. */
    @Setup
    public void prepare() {
        strategy = Strategies.create(subject, StrategyOptions.DEFAULT);
        context = LiveContext.of(new Fleet(servers, weights));
    }

    /** A new picker. */
    @Benchmark
    public Picker build() {
        return Objects.requireNonNull(strategy).picker(Objects.requireNonNull(context));
    }
}
