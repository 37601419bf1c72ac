package io.fairlead.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds {@code cpu} to each result: the processor time of the benchmark's threads, in nanoseconds an operation. JMH's own
 * figure is wall time, which also counts the time that a thread waits for a processor; on a machine that has something
 * else to do the two differ widely, and this one is the cost.
 *
 * <p>JMH makes an instance by the class's name in the measured process.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    /** The name of the figure in the results. */
    public static final String NAME = "cpu";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long before;

    @Override
    public String getDescription() {
        return "Processor time of the benchmark's threads";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmarkParams, IterationParams iterationParams) {
        before = workerNanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmarkParams, IterationParams iterationParams, IterationResult result) {
        long spent = workerNanos() - before;
        // All operations: those before and after the measured stretch were paid for too.
        double perOperation = (double) spent / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(NAME, perOperation, "ns/op", AggregationPolicy.AVG));
    }

    private long workerNanos() {
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().contains("jmh-worker")) {
                sum += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return sum;
    }
}
