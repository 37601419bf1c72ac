package io.fairlead.benchmarks.okhttp;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The page of the documentation. */
final class CallTable {
    private final String command;
    private final String machine;
    private final Map<String, List<Round>> rounds;
    private final List<SideBySide.Difference> differences;

    /**
     * A page.
     *
     * @param rounds what was measured, by the client's name; the yardstick is {@link Clients#PLAIN}
     * @param differences what the interceptor adds, by turns with plain OkHttp in one JVM each; empty: not measured
     */
    CallTable(
            String command, String machine, Map<String, List<Round>> rounds, List<SideBySide.Difference> differences) {
        this.command = command;
        this.machine = machine;
        this.rounds = rounds;
        this.differences = differences;
    }

    String page() {
        StringBuilder page = new StringBuilder()
                .append("# What a balanced call costs\n\n")
                .append("Written by `")
                .append(command)
                .append("`.\n\nMeasured on: ")
                .append(machine)
                .append(".\n\n")
                .append("One thread sends a GET without a body after the other to ")
                .append(CallBenchmark.SERVERS)
                .append(" servers in the same process, over connections that are kept alive, and reads two bytes. ")
                .append("Each figure is the median of several JVMs, and behind ± stands the half of what lies between ")
                .append(
                        "their quartiles. Processor time is that of the calling thread, so of all the work with OkHttp; ")
                .append("Vert.x and Dialogue do most of theirs on other threads, and only the time a call is to be ")
                .append(
                        "compared with them. Allocation is that of all threads. `above` is what a call takes more than ")
                .append("with OkHttp alone, where the caller chose the server.\n\n")
                .append("| client | processor time, µs | above, µs | time a call, µs | allocated, B | above, B |")
                .append(" connections |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        List<Round> plain = rounds.getOrDefault(Clients.PLAIN, List.of());
        rounds.forEach((name, measured) -> page.append(row(name, measured, plain)));
        if (!differences.isEmpty()) {
            page.append("\n## Side by side\n\n")
                    .append(
                            "From one JVM to the next a call of plain OkHttp differs by more than the interceptor takes. So it ")
                    .append(
                            "was measured again in one JVM, blocks of calls with and without it by turns, by the difference ")
                    .append("of each pair of neighbours. What the interceptor adds to a call, the median of ")
                    .append(differences.size())
                    .append(" JVMs, the lowest and the highest:\n\n")
                    .append("| | median, µs | lowest, µs | highest, µs |\n| --- | ---: | ---: | ---: |\n")
                    .append(row("processor time", SideBySide.Difference::cpuNanos))
                    .append(row("time a call", SideBySide.Difference::wallNanos));
        }
        return page.toString();
    }

    private String row(String what, ToDoubleFunction<SideBySide.Difference> figure) {
        double[] sorted = differences.stream().mapToDouble(figure).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s |%n",
                what,
                micros(quantile(sorted, 0.5)),
                micros(sorted[0]),
                micros(sorted[sorted.length - 1]));
    }

    private static String row(String name, List<Round> measured, List<Round> plain) {
        boolean onCallersThread = name.startsWith("OkHttp");
        boolean compared = onCallersThread && !name.equals(Clients.PLAIN) && !plain.isEmpty();
        double cpu = median(measured, Round::cpuNanos);
        double bytes = median(measured, Round::bytes);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.1f ± %.1f | %,.0f | %s | %.0f |%n",
                name.equals(Clients.OURS) ? "**" + name + "**" : name,
                onCallersThread ? micros(cpu) + " ± " + micros(spread(measured, Round::cpuNanos)) : "",
                compared ? micros(cpu - median(plain, Round::cpuNanos)) : "",
                median(measured, Round::wallNanos) / 1000,
                spread(measured, Round::wallNanos) / 1000,
                bytes,
                compared ? String.format(Locale.ROOT, "%,.0f", bytes - median(plain, Round::bytes)) : "",
                median(measured, Round::connections));
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1000);
    }

    static double median(List<Round> measured, ToDoubleFunction<Round> figure) {
        return quantile(measured, figure, 0.5);
    }

    private static double spread(List<Round> measured, ToDoubleFunction<Round> figure) {
        return (quantile(measured, figure, 0.75) - quantile(measured, figure, 0.25)) / 2;
    }

    private static double quantile(List<Round> measured, ToDoubleFunction<Round> figure, double share) {
        double[] sorted = Objects.requireNonNull(measured).stream()
                .mapToDouble(figure)
                .sorted()
                .toArray();
        return quantile(sorted, share);
    }

    private static double quantile(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
