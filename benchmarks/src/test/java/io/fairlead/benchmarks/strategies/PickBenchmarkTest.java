package io.fairlead.benchmarks.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.benchmarks.CpuTimeProfiler;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class PickBenchmarkTest {
    @Test
    void aRunTellsProcessorTimeAndAllocation() throws RunnerException {
        RunResult result = new Runner(new OptionsBuilder()
                        .include(PickBenchmark.class.getSimpleName())
                        .param("subject", "wrr")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(50))
                        .addProfiler(CpuTimeProfiler.class)
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .runSingle();

        assertThat(result.getSecondaryResults())
                .containsKeys(CpuTimeProfiler.NAME, "gc.alloc.rate.norm", "bytes", "picks");
        // A pick is no less than one cycle of any processor, and no more than all the time that has passed.
        assertThat(result.getSecondaryResults().get(CpuTimeProfiler.NAME).getScore())
                .isBetween(0.1, 1.5 * result.getPrimaryResult().getScore() + 1_000);
    }
}
