package io.fairlead.benchmarks.simulation;

import io.fairlead.strategy.Strategies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The tables of the report, from the figures alone. */
final class Tables {
    /** What is less below the best than this is as good. */
    private static final double AS_GOOD = 0.25;

    private final Map<String, RunFigures> figures;

    private Tables(List<RunFigures> figures) {
        this.figures = figures.stream().collect(Collectors.toMap(RunFigures::key, Function.identity()));
    }

    /** The tables by their names. */
    static Map<String, String> of(List<RunFigures> figures) {
        Tables tables = new Tables(figures);
        Map<String, String> byName = new LinkedHashMap<>();
        for (Settings settings : Settings.all()) {
            byName.put("goodput-" + settings.name(), tables.overview(settings));
        }
        for (Scenario scenario : Scenarios.all()) {
            byName.put(scenario.name(), tables.details(scenario));
        }
        return byName;
    }

    private Optional<RunFigures> run(Scenario scenario, Settings settings, String strategy) {
        return Optional.ofNullable(figures.get(scenario.name() + " / " + settings.name() + " / " + strategy));
    }

    private String overview(Settings settings) {
        List<Scenario> scenarios = Scenarios.all();
        StringBuilder table = new StringBuilder("| |");
        scenarios.forEach(scenario -> table.append(' ').append(scenario.name()).append(" |"));
        table.append("\n| --- |").append(" ---: |".repeat(scenarios.size())).append('\n');
        Map<Scenario, Double> best = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            best.put(
                    scenario,
                    Strategies.names().stream()
                            .flatMap(strategy -> run(scenario, settings, strategy).stream())
                            .mapToDouble(RunFigures::goodPercent)
                            .max()
                            .orElse(0));
        }
        for (String strategy : Strategies.names()) {
            table.append("| `").append(strategy).append("` |");
            best.forEach((scenario, most) -> table.append(' ')
                    .append(run(scenario, settings, strategy)
                            .map(run -> goodput(run, most))
                            .orElse(""))
                    .append(" |"));
            table.append('\n');
        }
        return table.toString();
    }

    private static String goodput(RunFigures run, double most) {
        String text = String.format(Locale.ROOT, "%.1f", run.goodPercent());
        return run.goodPercent() >= most - AS_GOOD ? "**" + text + "**" : text;
    }

    private String details(Scenario scenario) {
        Map<String, Function<RunFigures, String>> columns = columns(scenario);
        StringBuilder table = new StringBuilder("| |");
        columns.keySet().forEach(column -> table.append(' ').append(column).append(" |"));
        table.append("\n| --- |").append(" ---: |".repeat(columns.size())).append('\n');
        for (String strategy : Strategies.names()) {
            table.append("| `").append(strategy).append("` |");
            for (Function<RunFigures, String> column : columns.values()) {
                List<String> cell = new ArrayList<>();
                Settings.all()
                        .forEach(settings ->
                                run(scenario, settings, strategy).ifPresent(run -> cell.add(column.apply(run))));
                boolean same = cell.stream().distinct().count() == 1;
                table.append(' ')
                        .append(same ? cell.get(0) : String.join(" / ", cell))
                        .append(" |");
            }
            table.append('\n');
        }
        return table.toString();
    }

    private static Map<String, Function<RunFigures, String>> columns(Scenario scenario) {
        Map<String, Function<RunFigures, String>> columns = new LinkedHashMap<>();
        columns.put("goodput %", run -> oneDigit(run.goodPercent()));
        columns.put("errors %", run -> twoDigits(run.errorPercent()));
        columns.put("p50 ms", run -> whole(run.p50Millis()));
        columns.put("p99 ms", run -> whole(run.p99Millis()));
        columns.put("retries %", run -> oneDigit(run.retryPercent()));
        if (!scenario.faulty().isEmpty()) {
            columns.put("share of the faulty %", run -> oneDigit(run.faultyShare()));
            columns.put("after the fault %", run -> oneDigit(run.faultyShareAfter()));
        }
        if (scenario.hasFault()) {
            columns.put("back after s", run -> seconds(run.recoverySeconds()));
        }
        columns.put("most, least share %", run -> spread(run.shares()));
        return columns;
    }

    private static String spread(List<Double> shares) {
        double most = shares.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double least = shares.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        return oneDigit(most) + ", " + oneDigit(least);
    }

    private static String seconds(OptionalDouble seconds) {
        double value = seconds.orElse(0);
        return Double.isInfinite(value) ? "never" : whole(value);
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String oneDigit(OptionalDouble value) {
        return oneDigit(value.orElse(0));
    }

    private static String oneDigit(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String twoDigits(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
