package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.CpuTimeProfiler;
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
        var options = new OptionsBuilder()
                .include(Pattern.quote(PickBenchmark.class.getName() + ".pick") + "$")
                .param("subject", step.subject())
                .param("servers", Integer.toString(step.servers()))
                .param("weights", step.weights().name())
                .threads(step.threads())
                .forks(1)
                .warmupIterations(quick ? 2 : 3)
                .warmupTime(TimeValue.milliseconds(250))
                .measurementIterations(quick ? 3 : 4)
                .measurementTime(TimeValue.milliseconds(200))
                .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC", "-XX:-UsePerfData")
                .addProfiler(CpuTimeProfiler.class)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        RunResult result = new Runner(options).runSingle();
        return new Measurement(
                step.subject(),
                step.servers(),
                step.weights(),
                step.threads(),
                secondary(result, CpuTimeProfiler.NAME),
                result.getPrimaryResult().getScore(),
                secondary(result, "gc.alloc.rate.norm"));
    }

    private static double secondary(RunResult result, String name) {
        return Objects.requireNonNull(result.getSecondaryResults().get(name), name)
                .getScore();
    }
}
