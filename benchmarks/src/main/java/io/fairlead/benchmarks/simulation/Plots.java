package io.fairlead.benchmarks.simulation;

import io.fairlead.benchmarks.drawing.Palette;
import io.fairlead.benchmarks.drawing.Svg;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plots of the report: goodput over time, and the servers' shares. */
final class Plots {
    private static final int STEP_SECONDS = 2;
    private static final double STRONG = 1.4;
    /** Whose shares are drawn. */
    private static final List<Settings> SHOWN = List.of(Settings.DEFAULTS, Settings.ADVISED);
    /** Of the settings in their order. */
    private static final List<String> COLOURS = List.of(Palette.PLAIN, Palette.MARK, Palette.BAR);

    private final World world = World.standard();
    private final List<Run> runs;

    private Plots(List<Run> runs) {
        this.runs = runs;
    }

    /** The plots by the names of their files. */
    static Map<String, String> of(List<Run> runs) {
        Plots plots = new Plots(runs);
        Map<String, String> byName = new LinkedHashMap<>();
        for (Scenario scenario : Scenarios.all()) {
            byName.put("sim-" + scenario.name() + ".svg", plots.goodput(scenario));
            byName.put("sim-" + scenario.name() + "-shares.svg", plots.shares(scenario));
        }
        return byName;
    }

    private String goodput(Scenario scenario) {
        double most = Math.ceil(world.requestsPerSecond() / 100 + 0.5) * 100;
        return Panels.draw(
                        scenario.title() + ": good answers a second",
                        "Grey: defaults. Orange: ejecting. Blue: advised. On grey ground the time of the fault. "
                                + Math.round(world.requestsPerSecond())
                                + " requests a second come in.",
                        (svg, strategy, area) -> {
                            ground(svg, scenario, area);
                            for (int mark = 0; mark <= most; mark += 100) {
                                area.gridLine(svg, most, mark, Integer.toString(mark));
                            }
                            seconds(svg, area);
                            for (int k = 0; k < Settings.all().size(); k++) {
                                line(svg, scenario, Settings.all().get(k), strategy, area, most, COLOURS.get(k));
                            }
                        })
                .toString();
    }

    private double x(Panels.Area area, double second) {
        return area.left() + area.width() * second / world.seconds();
    }

    private void ground(Svg svg, Scenario scenario, Panels.Area area) {
        double from = x(area, scenario.faultFrom());
        svg.rect(from, area.top(), x(area, scenario.faultTo()) - from, area.height(), Palette.GROUND);
    }

    private void seconds(Svg svg, Panels.Area area) {
        for (int second = 0; second <= world.seconds(); second += world.seconds() / 2) {
            svg.text(x(area, second), area.bottom() + 11, 9, "middle", Palette.SOFT, second + " s");
        }
    }

    private void line(
            Svg svg,
            Scenario scenario,
            Settings settings,
            String strategy,
            Panels.Area area,
            double most,
            String colour) {
        List<Integer> good =
                run(scenario, settings, strategy).map(Run::goodInSecond).orElse(List.of());
        int points = good.size() / STEP_SECONDS;
        double[] xs = new double[points];
        double[] ys = new double[points];
        for (int i = 0; i < points; i++) {
            double sum = 0;
            for (int second = i * STEP_SECONDS; second < (i + 1) * STEP_SECONDS; second++) {
                sum += good.get(second);
            }
            xs[i] = x(area, (i + 0.5) * STEP_SECONDS);
            ys[i] = area.y(Math.min(most, sum / STEP_SECONDS), most);
        }
        svg.path(xs, ys, colour, STRONG);
    }

    private String shares(Scenario scenario) {
        String when = scenario.hasFault() ? "while the fault lasts" : "over the whole run";
        String faulty = scenario.faulty().isEmpty() ? "" : " Orange: the faulty ones.";
        return Panels.draw(
                        scenario.title() + ": share of each server in the tries, " + when,
                        "A server's left bar: defaults; its right bar: advised. The line is an even share." + faulty,
                        (svg, strategy, area) -> bars(svg, scenario, strategy, area))
                .toString();
    }

    private void bars(Svg svg, Scenario scenario, String strategy, Panels.Area area) {
        double greatest = SHOWN.stream()
                .flatMap(settings -> run(scenario, settings, strategy).stream())
                .flatMap(run -> run.figures().shares().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        int step = greatest <= 20 ? 10 : greatest <= 40 ? 20 : 50;
        double most = Math.max(step, Math.ceil(greatest / step) * step);
        for (int mark = 0; mark <= most; mark += step) {
            area.gridLine(svg, most, mark, mark + "%");
        }
        double slot = area.width() / world.servers();
        double bar = slot * 0.8 / SHOWN.size();
        for (int k = 0; k < SHOWN.size(); k++) {
            Optional<Run> run = run(scenario, SHOWN.get(k), strategy);
            if (run.isEmpty()) {
                continue;
            }
            List<Double> shares = run.get().figures().shares();
            for (int i = 0; i < shares.size(); i++) {
                double y = area.y(shares.get(i), most);
                svg.rect(
                        area.left() + i * slot + slot * 0.1 + k * bar,
                        y,
                        bar,
                        area.bottom() - y,
                        scenario.faulty().contains(i) ? Palette.MARK : Palette.BAR);
            }
        }
        double fair = area.y(100.0 / world.servers(), most);
        svg.line(area.left(), fair, area.right(), fair, Palette.SOFT, 0.8);
    }

    private Optional<Run> run(Scenario scenario, Settings settings, String strategy) {
        return runs.stream()
                .filter(run -> run.figures().scenario().equals(scenario.name())
                        && run.figures().settings().equals(settings.name())
                        && run.figures().strategy().equals(strategy))
                .findFirst();
    }
}
