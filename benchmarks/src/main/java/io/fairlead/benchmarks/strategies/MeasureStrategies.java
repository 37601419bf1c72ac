package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.CpuTimeProfiler;
import io.fairlead.benchmarks.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures the strategies and their peers and writes what comes out: {@code strategies-benchmark.csv}, every figure, and
 * {@code strategies-benchmark.md}, the tables. Arguments: {@code [--quick] [--only REGEX] DIRECTORY}, or {@code --render
 * DIRECTORY} to write the tables anew from the figures that are there.
 */
public final class MeasureStrategies {
    private final PrintStream log;
    private final boolean quick;

    private MeasureStrategies(PrintStream log, boolean quick) {
        this.log = log;
        this.quick = quick;
    }

    /** Runs from the command line. */
    public static void main(String[] args) throws IOException, RunnerException {
        boolean quick = false;
        boolean render = false;
        Pattern only = Pattern.compile("");
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> quick = true;
                case "--render" -> render = true;
                case "--only" -> only = Pattern.compile(args[++i]);
                default -> rest.add(args[i]);
            }
        }
        Path directory = Files.createDirectories(Path.of(rest.get(0)));
        Path figures = directory.resolve("strategies-benchmark.csv");
        if (!render) {
            String command = "benchmarks/run strategies" + (quick ? " --quick" : "")
                    + (only.pattern().isEmpty() ? "" : " --only '" + only.pattern() + "'");
            MeasureStrategies run = new MeasureStrategies(System.out, quick);
            Plan plan = new Plan(quick, only, Runtime.getRuntime().availableProcessors());
            Figures.write(figures, Map.of("machine", Machine.describe(), "command", command), run.measure(plan));
        }
        ResultTable.write(figures, directory.resolve("strategies-benchmark.md"));
        System.out.println("wrote strategies-benchmark.csv and strategies-benchmark.md to " + directory);
    }

    private List<Measurement> measure(Plan plan) throws RunnerException {
        List<Measurement> measured = new ArrayList<>();
        List<Plan.Step> steps = plan.steps();
        for (Plan.Step step : steps) {
            Measurement figure = measure(step);
            measured.add(figure);
            log.printf(
                    Locale.ROOT,
                    "%d/%d %s, %d servers, %s, %d thread(s): cpu %.1f ns, wall %.1f ns, %.1f B%n",
                    measured.size(),
                    steps.size(),
                    figure.subject(),
                    figure.servers(),
                    figure.weights(),
                    figure.threads(),
                    figure.cpuNanos(),
                    figure.wallNanos(),
                    figure.bytes());
        }
        return measured;
    }

    private Measurement measure(Plan.Step step) throws RunnerException {
        boolean builds = step.subject().startsWith(Plan.BUILD);
        Class<?> benchmark = builds ? BuildBenchmark.class : PickBenchmark.class;
        var options = new OptionsBuilder()
                .include(Pattern.quote(benchmark.getName()))
                .param("subject", builds ? step.subject().substring(Plan.BUILD.length()) : step.subject())
                .param("servers", Integer.toString(step.servers()))
                .param("weights", step.weights().name())
                .threads(step.threads())
                .forks(1)
                .warmupIterations(2)
                .warmupTime(TimeValue.milliseconds(quick ? 250 : 300))
                .measurementIterations(3)
                .measurementTime(TimeValue.milliseconds(quick ? 150 : 250))
                .jvmArgs(
                        "-Ddubbo.application.logger=slf4j",
                        "-Xms1g",
                        "-Xmx1g",
                        "-XX:+UseParallelGC",
                        "-XX:-UsePerfData")
                .addProfiler(CpuTimeProfiler.class)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        RunResult result = new Runner(options).runSingle();
        double gcBytes = secondary(result, "gc.alloc.rate.norm");
        double bytes = builds ? gcBytes : secondary(result, "bytes") / secondary(result, "picks");
        return new Measurement(
                step.subject(),
                step.servers(),
                step.weights(),
                step.threads(),
                secondary(result, CpuTimeProfiler.NAME),
                result.getPrimaryResult().getScore(),
                bytes,
                gcBytes);
    }

    private static double secondary(RunResult result, String name) {
        return Objects.requireNonNull(result.getSecondaryResults().get(name), name)
                .getScore();
    }
}
