package io.fairlead.benchmarks.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file of all figures: comma-separated values, a run a line. */
final class FiguresFile {
    private FiguresFile() {}

    static void write(Path file, List<RunFigures> figures) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(RunFigures.HEAD);
        figures.forEach(each -> lines.add(each.line()));
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException its columns are others
     */
    static List<RunFigures> read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.get(0).equals(RunFigures.HEAD)) {
            throw new IllegalArgumentException(file + " has other columns than " + RunFigures.HEAD);
        }
        return lines.stream().skip(1).map(RunFigures::parse).toList();
    }
}
