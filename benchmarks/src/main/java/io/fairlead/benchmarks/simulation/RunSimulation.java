package io.fairlead.benchmarks.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Makes all runs and writes the report: the file of figures, the tables of the page, the plots. The one argument is the
 * folder of the documentation; the same code writes the same bytes. Says which figures are worse than those of the file
 * before.
 */
public final class RunSimulation {
    private RunSimulation() {}

    /** Runs from the command line. */
    public static void main(String[] args) throws IOException {
        Path docs = Path.of(args[0]);
        Path file = docs.resolve("simulation.csv");
        Path page = docs.resolve("simulation.md");
        Path pictures = Files.createDirectories(docs.resolve("img"));
        List<Run> runs = Run.all(plan -> true);
        List<RunFigures> figures = runs.stream().map(Run::figures).toList();
        List<RunFigures> before = Files.exists(file) ? FiguresFile.read(file) : List.of();

        FiguresFile.write(file, figures);
        Files.writeString(page, Page.filled(Files.readString(page), Tables.of(FiguresFile.read(file))));
        for (Map.Entry<String, String> plot : Plots.of(runs).entrySet()) {
            Files.writeString(pictures.resolve(plot.getKey()), plot.getValue());
        }

        System.out.println("wrote " + page + ", " + file + " and the plots in " + pictures);
        if (!before.isEmpty()) {
            List<String> worse = Regression.worse(before, figures);
            worse.forEach(line -> System.out.println("worse: " + line));
            System.out.println(worse.size() + " figures are worse than before");
        }
    }
}
