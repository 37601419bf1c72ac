package io.fairlead.benchmarks.agent;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The page of the documentation. */
final class AgentTable {
    private static final double KIB = 1024;

    private final String command;
    private final String machine;
    private final Map<Variant, Costs> measured;

    /**
     * A page.
     *
     * @param measured by the agent; one of them is {@link Variant#NONE}, the yardstick
     */
    AgentTable(String command, String machine, Map<Variant, Costs> measured) {
        this.command = command;
        this.machine = machine;
        this.measured = measured;
    }

    String page() {
        StringBuilder page = new StringBuilder()
                .append("# What the agent costs\n\nWritten by `")
                .append(command)
                .append("`.\n\nMeasured on: ")
                .append(machine)
                .append(
                        ".\n\nEach figure is the median of several JVMs, those of the agents and those without taken in ")
                .append("turn; behind ± stands half of what lies between their quartiles.\n\n")
                .append("- **start**: from the start of a process that prints one word to its end, with the JVM's own ")
                .append("defaults.\n")
                .append(
                        "- **memory**: what Linux says is resident, after a collection, with a heap of 64 MiB whose young ")
                .append("part of 8 MiB has been used whole. After calls: a thousand, to a service under our agent.\n")
                .append(
                        "- **calls**: by `HttpURLConnection`, one after the other on one thread, over sockets in memory, ")
                .append(
                        "so that a figure is the client's work and the agent's, without the system's. A foreign host is ")
                .append("one that no service is named after. A balanced call goes to a service of two servers, and is ")
                .append("compared with a call to such a server without an agent.\n\n");
        header(page);
        Costs none = none();
        row(page, "start, ms", Costs::start, 1, 0);
        row(page, "memory, MiB", Costs::resident, KIB, 1);
        row(page, "memory after calls, MiB", Costs::residentAfterCalls, KIB, 1);
        row(page, "call to a foreign host, ns", Costs::foreign, 1, 0);
        row(page, "balanced call, ns", Costs::balanced, 1, 0);
        page.append("\nMore than without an agent, and the bounds that ours keeps:\n\n| |");
        agents(page);
        page.append(" bound |\n| --- |");
        measured.keySet().stream().filter(v -> v.jarBytes() > 0).forEach(v -> page.append(" ---: |"));
        page.append(" ---: |\n");
        above(page, "start, ms", Costs::start, none, 1, 0, "350");
        above(page, "memory, MiB", Costs::resident, none, KIB, 1, "25");
        above(page, "memory after calls, MiB", Costs::residentAfterCalls, none, KIB, 1, "25");
        above(page, "call to a foreign host, ns", Costs::foreign, none, 1, 0, "200");
        above(page, "balanced call, ns", Costs::balanced, none, 1, 0, "5000");
        page.append("| jar, MiB |");
        measured.keySet().stream()
                .filter(v -> v.jarBytes() > 0)
                .forEach(v -> page.append(number(v.jarBytes() / KIB / KIB, 1)).append(" |"));
        return page.append(" 8 |\n").toString();
    }

    private Costs none() {
        return measured.entrySet().stream()
                .filter(e -> e.getKey().name().equals(Variant.NONE))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private void header(StringBuilder page) {
        page.append("| |");
        measured.keySet().forEach(v -> page.append(' ').append(v.name()).append(" |"));
        page.append("\n| --- |");
        measured.keySet().forEach(v -> page.append(" ---: |"));
        page.append('\n');
    }

    private void agents(StringBuilder page) {
        measured.keySet().stream()
                .filter(v -> v.jarBytes() > 0)
                .forEach(v -> page.append(' ').append(v.name()).append(" |"));
    }

    private void row(StringBuilder page, String what, Function<Costs, Figure> figure, double unit, int digits) {
        page.append("| ").append(what).append(" |");
        measured.values().forEach(costs -> {
            Figure found = Objects.requireNonNull(figure.apply(costs));
            page.append(number(found.median() / unit, digits))
                    .append(" ±")
                    .append(number(found.spread() / unit, digits))
                    .append(" |");
        });
        page.append('\n');
    }

    private void above(
            StringBuilder page,
            String what,
            Function<Costs, Figure> figure,
            Costs none,
            double unit,
            int digits,
            String bound) {
        double base = Objects.requireNonNull(figure.apply(none)).median();
        page.append("| ").append(what).append(" |");
        measured.forEach((variant, costs) -> {
            if (variant.jarBytes() > 0) {
                double found = Objects.requireNonNull(figure.apply(costs)).median();
                page.append(number((found - base) / unit, digits)).append(" |");
            }
        });
        page.append(' ').append(bound).append(" |\n");
    }

    private static String number(double value, int digits) {
        return ' ' + String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
