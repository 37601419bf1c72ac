package io.fairlead.benchmarks.okhttp;

import io.fairlead.benchmarks.CpuTimeProfiler;
import io.fairlead.benchmarks.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 * Measures what a call costs and writes {@code okhttp-benchmark.md}. Arguments: {@code [--quick] [--only REGEX]
 * DIRECTORY}. The clients take turns, each time in a JVM of its own, so that whatever else the machine does falls on all
 * of them.
 */
public final class MeasureOkHttp {
    private static final int ROUNDS = 6;
    private static final int QUICK_ROUNDS = 2;
    /** Odd, so that the median is one of them. */
    private static final int SIDE_BY_SIDE = 7;

    private static final int QUICK_SIDE_BY_SIDE = 3;
    private static final List<String> JVM_ARGUMENTS =
            List.of("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC", "-XX:-UsePerfData");

    private final PrintStream log;
    private final boolean quick;

    private MeasureOkHttp(PrintStream log, boolean quick) {
        this.log = log;
        this.quick = quick;
    }

    /** Runs from the command line. */
    public static void main(String[] args) throws IOException, InterruptedException, RunnerException {
        boolean quick = false;
        Pattern only = Pattern.compile("");
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> quick = true;
                case "--only" -> only = Pattern.compile(args[++i]);
                default -> rest.add(args[i]);
            }
        }
        String command = "benchmarks/run okhttp" + (quick ? " --quick" : "")
                + (only.pattern().isEmpty() ? "" : " --only '" + only.pattern() + "'");
        MeasureOkHttp measuring = new MeasureOkHttp(System.out, quick);
        Map<String, List<Round>> rounds = measuring.measure(only);
        boolean both = rounds.containsKey(Clients.PLAIN) && rounds.containsKey(Clients.OURS);
        List<SideBySide.Difference> differences = both ? measuring.sideBySide() : List.of();
        Path page = Files.createDirectories(Path.of(rest.get(0))).resolve("okhttp-benchmark.md");
        Files.writeString(page, new CallTable(command, Machine.describe(), rounds, differences).page());
        System.out.println("wrote " + page);
    }

    private Map<String, List<Round>> measure(Pattern only) throws RunnerException {
        Map<String, List<Round>> rounds = new LinkedHashMap<>();
        for (int round = 0; round < (quick ? QUICK_ROUNDS : ROUNDS); round++) {
            for (String name : Clients.BY_NAME.keySet()) {
                if (only.matcher(name).find()) {
                    Round measured = measure(name);
                    rounds.computeIfAbsent(name, n -> new ArrayList<>()).add(measured);
                    log.printf(
                            Locale.ROOT,
                            "%d %s: cpu %.0f ns, wall %.0f ns, %.0f B, %.0f connections%n",
                            round + 1,
                            name,
                            measured.cpuNanos(),
                            measured.wallNanos(),
                            measured.bytes(),
                            measured.connections());
                }
            }
        }
        return rounds;
    }

    private List<SideBySide.Difference> sideBySide() throws IOException, InterruptedException {
        List<SideBySide.Difference> differences = new ArrayList<>();
        for (int i = 0; i < (quick ? QUICK_SIDE_BY_SIDE : SIDE_BY_SIDE); i++) {
            SideBySide.Difference found = SideBySide.measureApart(quick, JVM_ARGUMENTS);
            differences.add(found);
            log.printf(
                    Locale.ROOT,
                    "%d side by side: cpu %.0f ns, wall %.0f ns%n",
                    i + 1,
                    found.cpuNanos(),
                    found.wallNanos());
        }
        return differences;
    }

    private Round measure(String name) throws RunnerException {
        var options = new OptionsBuilder()
                .include(Pattern.quote(CallBenchmark.class.getName()))
                .param("subject", name)
                .forks(1)
                .warmupIterations(quick ? 3 : 5)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(quick ? 3 : 5)
                .measurementTime(TimeValue.seconds(1))
                .jvmArgs(JVM_ARGUMENTS.toArray(new String[0]))
                .addProfiler(CpuTimeProfiler.class)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        RunResult result = new Runner(options).runSingle();
        return new Round(
                result.getPrimaryResult().getScore(),
                secondary(result, CpuTimeProfiler.NAME),
                secondary(result, "gc.alloc.rate.norm"),
                secondary(result, "connections") / (quick ? 3 : 5));
    }

    private static double secondary(RunResult result, String name) {
        return Objects.requireNonNull(result.getSecondaryResults().get(name), name)
                .getScore();
    }
}
