package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.Weighting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The tables of the documentation, from the file of figures alone. */
final class ResultTable {
    private final Figures figures;
    private final List<Integer> sizes;
    private final int allThreads;

    private ResultTable(Figures figures) {
        this.figures = figures;
        sizes = List.copyOf(figures.measurements().stream()
                .filter(m -> !m.subject().startsWith(Plan.BUILD))
                .map(Measurement::servers)
                .collect(Collectors.toCollection(TreeSet::new)));
        allThreads = figures.measurements().stream()
                .mapToInt(Measurement::threads)
                .max()
                .orElse(1);
    }

    static void write(Path from, Path to) throws IOException {
        Files.writeString(to, new ResultTable(Figures.read(from)).page());
    }

    private String page() {
        StringBuilder page = new StringBuilder();
        page.append("# What a pick costs\n\n")
                .append("Written by `")
                .append(figures.fact("command"))
                .append(
                        "`; every figure, wall time too, is in [strategies-benchmark.csv](strategies-benchmark.csv).\n\n")
                .append("Measured on: ")
                .append(figures.fact("machine"))
                .append(".\n\n")
                .append("A cell is the processor time of one pick in nanoseconds, with one thread")
                .append(allThreads > 1 ? " and, behind the stroke, with " + allThreads + " threads at once" : "")
                .append(", by the number of servers. B is what a pick allocates, in bytes, at its most. ")
                .append("Loop and blackhole, about 1 ns, are in every figure. ")
                .append("The keys of our hash strategies have been hashed before, but where the row says otherwise; ")
                .append("what the hashing costs stands among the yardsticks. ")
                .append(
                        "The time that strategies by latency need is that of the request, which the load balancer reads ")
                .append("once for each and not the picker. ")
                .append("Mixed weights are 1 to 5 in turn. Each combination ran in a JVM of its own.\n");
        Map<String, List<Entry>> algorithms = new LinkedHashMap<>();
        for (Entry entry : Catalogue.byAlgorithm()) {
            algorithms
                    .computeIfAbsent(entry.algorithm(), algorithm -> new ArrayList<>())
                    .add(entry);
        }
        algorithms.forEach((algorithm, entries) -> table(page, algorithm, entries));
        builds(page);
        return page.toString();
    }

    private void table(StringBuilder page, String algorithm, List<Entry> entries) {
        List<String> rows = new ArrayList<>();
        for (Entry entry : entries) {
            for (Weighting weights : Weighting.values()) {
                row(entry, weights, rows);
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        page.append("\n## ").append(algorithm).append("\n\n| | weights |");
        sizes.forEach(size -> page.append(String.format(Locale.ROOT, " %,d |", size)));
        page.append(" B |\n| --- | --- |")
                .append(" ---: |".repeat(sizes.size() + 1))
                .append('\n');
        rows.forEach(page::append);
    }

    private void builds(StringBuilder page) {
        List<Measurement> builds = figures.measurements().stream()
                .filter(m -> m.subject().startsWith(Plan.BUILD))
                .toList();
        if (builds.isEmpty()) {
            return;
        }
        page.append("\n## Building a picker\n\nOff the requests' path, when the list, the health or a weight changes: ")
                .append(
                        "milliseconds of processor time.\n\n| | servers | weights | ms |\n| --- | ---: | --- | ---: |\n");
        for (Measurement m : builds) {
            page.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %s | %.2f |%n",
                    m.subject().substring(Plan.BUILD.length()),
                    m.servers(),
                    m.weights().name().toLowerCase(Locale.ROOT),
                    m.cpuNanos() / 1e6));
        }
    }

    private void row(Entry entry, Weighting weights, List<String> rows) {
        List<Measurement> own = figures.measurements().stream()
                .filter(m -> m.subject().equals(entry.name()) && m.weights() == weights)
                .toList();
        if (own.isEmpty()) {
            return;
        }
        StringBuilder row = new StringBuilder("| ").append(entry.label()).append(" | ");
        row.append(weights.name().toLowerCase(Locale.ROOT)).append(" |");
        for (int size : sizes) {
            row.append(' ').append(cell(own, size)).append(" |");
        }
        double bytes = own.stream().mapToDouble(Measurement::bytes).max().orElse(0);
        rows.add(row.append(' ').append(Math.round(bytes)).append(" |\n").toString());
    }

    private String cell(List<Measurement> own, int size) {
        String alone = figure(own, size, 1);
        String together = allThreads > 1 ? figure(own, size, allThreads) : "";
        return together.isEmpty() ? alone : alone + " / " + together;
    }

    private static String figure(List<Measurement> own, int size, int threads) {
        return own.stream()
                .filter(m -> m.servers() == size && m.threads() == threads)
                .findFirst()
                .map(m -> nanos(m.cpuNanos()))
                .orElse("");
    }

    private static String nanos(double value) {
        return value < 100 ? String.format(Locale.ROOT, "%.1f", value) : String.format(Locale.ROOT, "%,.0f", value);
    }
}
