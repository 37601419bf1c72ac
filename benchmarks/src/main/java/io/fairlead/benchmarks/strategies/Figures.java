package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.Weighting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The file of all figures: facts about the run as comments, then comma-separated values. */
final class Figures {
    private static final String HEAD = "subject,servers,weights,threads,cpu_ns,wall_ns,bytes,gc_bytes";

    private final Map<String, String> facts = new TreeMap<>();
    private final List<Measurement> measurements = new ArrayList<>();

    private Figures() {}

    static void write(Path file, Map<String, String> facts, List<Measurement> measurements) throws IOException {
        List<String> lines = new ArrayList<>();
        new TreeMap<>(facts).forEach((name, value) -> lines.add("# " + name + ": " + value));
        lines.add(HEAD);
        for (Measurement m : measurements) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s,%d,%s,%d,%.2f,%.2f,%.2f,%.2f",
                    m.subject(),
                    m.servers(),
                    m.weights(),
                    m.threads(),
                    m.cpuNanos(),
                    m.wallNanos(),
                    m.bytes(),
                    m.gcBytes()));
        }
        Files.write(file, lines);
    }

    static Figures read(Path file) throws IOException {
        Figures figures = new Figures();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("# ")) {
                int colon = line.indexOf(": ");
                figures.facts.put(line.substring(2, colon), line.substring(colon + 2));
            } else if (!line.equals(HEAD)) {
                String[] f = line.split(",", -1);
                figures.measurements.add(new Measurement(
                        f[0],
                        Integer.parseInt(f[1]),
                        Weighting.valueOf(f[2]),
                        Integer.parseInt(f[3]),
                        Double.parseDouble(f[4]),
                        Double.parseDouble(f[5]),
                        Double.parseDouble(f[6]),
                        Double.parseDouble(f[7])));
            }
        }
        return figures;
    }

    String fact(String name) {
        return facts.getOrDefault(name, "unknown");
    }

    List<Measurement> measurements() {
        return List.copyOf(measurements);
    }
}
