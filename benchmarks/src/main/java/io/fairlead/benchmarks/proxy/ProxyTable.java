package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The tables of the documentation. They stand between two marks of the page, whose other text is left as it is. */
final class ProxyTable {
    static final String BEGIN = "<!-- figures: written by benchmarks/run proxy -->\n";
    static final String END = "<!-- end of figures -->\n";

    private final List<ProxyFigures> figures;
    private final String command;
    private final String machine;
    private final String load;
    private final int warmSeconds;
    private final int rounds;
    private final int roundSeconds;

    ProxyTable(
            List<ProxyFigures> figures,
            String command,
            String machine,
            String load,
            int warmSeconds,
            int rounds,
            int roundSeconds) {
        this.figures = figures;
        this.command = command;
        this.machine = machine;
        this.load = load;
        this.warmSeconds = warmSeconds;
        this.rounds = rounds;
        this.roundSeconds = roundSeconds;
    }

    /** Writes the tables into a page, which is made where it is not there. */
    void writeInto(Path page) throws IOException {
        String before =
                Files.exists(page) ? Files.readString(page) : "# What a proxied request costs\n\n" + BEGIN + END;
        int begin = before.indexOf(BEGIN);
        int end = before.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " has no place for the figures, which is between the lines '" + BEGIN.strip()
                    + "' and '" + END.strip() + "'");
        }
        Files.writeString(page, before.substring(0, begin + BEGIN.length()) + text() + before.substring(end));
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("\nWritten by `")
                .append(command)
                .append("`. Measured on: ")
                .append(machine)
                .append(".\n\n");
        text.append(String.format(
                Locale.ROOT,
                "Load by %s over %d connections that are kept alive; each warmed %d s; the median of %d rounds of %d s.%n",
                load,
                Load.CONNECTIONS,
                warmSeconds,
                rounds,
                roundSeconds));
        for (Case what : Case.values()) {
            table(text, what);
        }
        footprints(text);
        return text.append('\n').toString();
    }

    private void table(StringBuilder text, Case what) {
        text.append("\n### ")
                .append(what.title())
                .append(
                        "\n\n| | CPU time a request, µs | of AsyncProxyServlet | of Undertow | requests/s | p50, ms | p99, ms |\n")
                .append("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        for (ProxyFigures proxy : figures) {
            double cpu = proxy.cpuMicros(what);
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %.1f | %s | %s | %,.0f | %.2f | %.2f |%n",
                    label(proxy.name()),
                    cpu,
                    share(cpu, Contenders.ASYNC_PROXY, what),
                    share(cpu, Contenders.UNDERTOW, what),
                    proxy.requestsPerSecond(what),
                    proxy.p50Micros(what) / 1000,
                    proxy.p99Micros(what) / 1000));
        }
    }

    private String share(double cpu, String of, Case what) {
        return figures.stream()
                .filter(proxy -> proxy.name().equals(of))
                .findFirst()
                .map(proxy -> String.format(Locale.ROOT, "%.2f", cpu / proxy.cpuMicros(what)))
                .orElse("");
    }

    private void footprints(StringBuilder text) {
        text.append("\n### Memory and threads\n\n")
                .append(
                        "| | resident, MiB | heap in use, MiB | heap an idle connection, KiB | resident an idle connection, KiB")
                .append(" | threads | more threads while answers are awaited | answers awaited of 500 |\n")
                .append("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        for (ProxyFigures proxy : figures) {
            ProxyFigures.Footprint print = proxy.footprint();
            boolean hasHeap = print.heapKib() >= 0;
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %s | %s | %.1f | %d | %d | %d |%n",
                    label(proxy.name()),
                    print.residentKib() / 1024.0,
                    hasHeap ? String.format(Locale.ROOT, "%.1f", print.heapKib() / 1024.0) : "",
                    hasHeap ? String.format(Locale.ROOT, "%.1f", print.idleHeapBytes() / 1024.0) : "",
                    print.idleResidentBytes() / 1024.0,
                    print.threads(),
                    print.awaitedThreads(),
                    print.awaited()));
        }
    }

    private static String label(String name) {
        return name.startsWith("Fairlead") ? "**" + name + "**" : name;
    }
}
