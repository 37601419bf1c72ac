package io.fairlead.benchmarks.strategies;

import com.sun.management.ThreadMXBean;
import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Keys;
import io.fairlead.benchmarks.Subject;
import io.fairlead.benchmarks.Weighting;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

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

    /**
     * What the thread has allocated in its loop, without what JMH allocates around it, some kilobytes an iteration that
     * would be seen where picks are slow and therefore few.
     */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Allocated {
        /** In so many bytes ... */
        public long bytes;

        /** ... that many picks. */
        public long picks;
    }

    /** A wheel of keys of the thread's own. */
    @State(Scope.Thread)
    public static class Turning {
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final Keys keys = new Keys();
        private long bytesBefore;
        private long picksBefore;

        /** Before an iteration. */
        @Setup(Level.Iteration)
        public void begin() {
            picksBefore = keys.turned();
            bytesBefore = threads.getCurrentThreadAllocatedBytes();
        }

        /** After an iteration. */
        @TearDown(Level.Iteration)
        public void end(Allocated allocated) {
            allocated.bytes = threads.getCurrentThreadAllocatedBytes() - bytesBefore;
            allocated.picks = keys.turned() - picksBefore;
        }
    }

    /** A pick. */
    @Benchmark
    public Object pick(Shared shared, Turning turning) {
        return shared.picking.pick(turning.keys.next());
    }
}
