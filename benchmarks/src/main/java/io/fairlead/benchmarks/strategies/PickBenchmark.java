package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Keys;
import io.fairlead.benchmarks.Subject;
import io.fairlead.benchmarks.Weighting;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One pick of one subject. Each combination of parameters is measured in a process of its own. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PickBenchmark {
    /** What all threads pick from. */
    @State(Scope.Benchmark)
    public static class Shared {
        /** A name of {@link Catalogue}. */
        @Param("counter")
        public String subject = "counter";

        /** How many servers there are. */
        @Param("100")
        public int servers = 100;

        /** How they are weighted. */
        @Param("EQUAL")
        public Weighting weights = Weighting.EQUAL;

        private Subject picking = key -> key;

        /** Builds the subject, once before the measurement. */
        @Setup
        public void build() {
            picking = Catalogue.named(subject).build(new Fleet(servers, weights));
        }
    }

    /** A wheel of keys of the thread's own. */
    @State(Scope.Thread)
    public static class Turning {
        private final Keys keys = new Keys();
    }

    /** A pick. */
    @Benchmark
    public Object pick(Shared shared, Turning turning) {
        return shared.picking.pick(turning.keys.next());
    }
}
