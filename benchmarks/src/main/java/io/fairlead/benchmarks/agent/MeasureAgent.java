package io.fairlead.benchmarks.agent;

import io.fairlead.benchmarks.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Measures our agent and OpenTelemetry's beside no agent, and writes the page. */
final class MeasureAgent {
    private static final String PACKAGE = "io.fairlead.benchmarks.agent.";
    private static final String SERVICE = "http://orders/items/7";
    private static final String SERVER = "http://127.0.0.1:8081/items/7";
    private static final List<String> SMALL_HEAP = List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-Xmn8m");
    /** A call's figure is to be steady: no collector beside it, and no compiler that changes its mind late. */
    private static final List<String> STEADY = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-Xmn192m");

    private final PrintStream log;
    private final boolean quick;
    private final String classes;

    private MeasureAgent(PrintStream log, boolean quick, String classes) {
        this.log = log;
        this.quick = quick;
        this.classes = classes;
    }

    /**
     * Measures and writes {@code agent-benchmark.md}.
     *
     * @param args {@code --quick}; the folder of this module's classes, our jar, OpenTelemetry's, and the folder to write to
     */
    public static void main(String[] args) throws Exception {
        List<String> rest = new ArrayList<>(List.of(args));
        boolean quick = rest.remove("--quick");
        Path ours = Path.of(rest.get(1));
        Path other = Path.of(rest.get(2));
        String before = load();
        Path configuration = Files.createTempFile("lb", ".yaml");
        try {
            Files.writeString(
                    configuration,
                    "http: {services: {orders: {loadBalancer: {servers: "
                            + "[{url: \"http://127.0.0.1:8081\"}, {url: \"http://127.0.0.1:8082\"}]}}}}\n");
            List<Variant> variants = List.of(
                    new Variant(Variant.NONE, List.of(), 0),
                    new Variant(Variant.OURS, List.of("-javaagent:" + ours + "=" + configuration), Files.size(ours)),
                    new Variant(
                            "OpenTelemetry "
                                    + other.getFileName().toString().replaceAll("[^0-9]*([0-9.]+)\\.jar", "$1"),
                            List.of(
                                    "-javaagent:" + other,
                                    "-Dotel.traces.exporter=none",
                                    "-Dotel.metrics.exporter=none",
                                    "-Dotel.logs.exporter=none"),
                            Files.size(other)));
            Map<Variant, Costs> measured = new MeasureAgent(System.out, quick, rest.get(0)).measure(variants);
            String machine = Machine.describe() + ", load average " + before + " before and " + load() + " after";
            Path page = Files.createDirectories(Path.of(rest.get(3))).resolve("agent-benchmark.md");
            String command = "benchmarks/run agent" + (quick ? " --quick" : "");
            Files.writeString(page, new AgentTable(command, machine, measured).page());
            System.out.println("wrote " + page);
        } finally {
            Files.delete(configuration);
        }
    }

    private Map<Variant, Costs> measure(List<Variant> variants) throws Exception {
        Map<Variant, List<Double>> start = new LinkedHashMap<>();
        Map<Variant, List<Double>> resident = new LinkedHashMap<>();
        Map<Variant, List<Double>> after = new LinkedHashMap<>();
        Map<Variant, List<Double>> foreign = new LinkedHashMap<>();
        Map<Variant, List<Double>> balanced = new LinkedHashMap<>();
        // The first of each only fills the system's cache of files.
        variants.forEach(variant -> add(new LinkedHashMap<>(), variant, () -> startMillis(variant)));
        for (int round = 0; round < (quick ? 3 : 10); round++) {
            variants.forEach(variant -> add(start, variant, () -> startMillis(variant)));
        }
        for (int round = 0; round < (quick ? 1 : 5); round++) {
            variants.forEach(variant -> add(resident, variant, () -> printed(variant, SMALL_HEAP, "Resident")));
            variants.forEach(
                    variant -> add(after, variant, () -> printed(variant, SMALL_HEAP, "Resident", balanced(variant))));
        }
        String seconds = quick ? "2" : "5";
        for (int round = 0; round < (quick ? 1 : 7); round++) {
            variants.forEach(
                    variant -> add(foreign, variant, () -> printed(variant, STEADY, "Calls", SERVER, seconds)));
            variants.forEach(variant ->
                    add(balanced, variant, () -> printed(variant, STEADY, "Calls", balanced(variant), seconds)));
        }
        Map<Variant, Costs> costs = new LinkedHashMap<>();
        for (Variant variant : variants) {
            costs.put(
                    variant,
                    new Costs(
                            figure(start, variant),
                            figure(resident, variant),
                            figure(after, variant),
                            figure(foreign, variant),
                            figure(balanced, variant)));
        }
        return costs;
    }

    private static String balanced(Variant variant) {
        return variant.name().equals(Variant.OURS) ? SERVICE : SERVER;
    }

    private static Figure figure(Map<Variant, List<Double>> values, Variant variant) {
        return new Figure(values.getOrDefault(variant, List.of()));
    }

    private void add(Map<Variant, List<Double>> to, Variant variant, Callable<Double> measurement) {
        try {
            double value = measurement.call();
            to.computeIfAbsent(variant, v -> new ArrayList<>()).add(value);
            log.println(variant.name() + ": " + value);
        } catch (Exception e) {
            throw new IllegalStateException(variant.name() + " could not be measured: " + e.getMessage(), e);
        }
    }

    private double startMillis(Variant variant) throws IOException, InterruptedException {
        ProcessBuilder builder = command(variant, List.of(), "Hello");
        long begun = System.nanoTime();
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        double millis = (System.nanoTime() - begun) / 1e6;
        if (status != 0 || !output.contains("hello")) {
            throw new IOException("exit status " + status + ": " + output);
        }
        return millis;
    }

    private double printed(Variant variant, List<String> options, String program, String... arguments)
            throws IOException, InterruptedException {
        Process process = command(variant, options, program, arguments).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException("exit status " + status + ": " + output);
        }
        return Double.parseDouble(output.strip());
    }

    private ProcessBuilder command(Variant variant, List<String> options, String program, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(variant.options());
        words.addAll(options);
        Collections.addAll(words, "-cp", classes, PACKAGE + program);
        Collections.addAll(words, arguments);
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return builder;
    }

    private static String load() throws IOException {
        Path load = Path.of("/proc/loadavg");
        return Files.isReadable(load) ? Files.readString(load).split(" ", 2)[0] : "unknown";
    }
}
