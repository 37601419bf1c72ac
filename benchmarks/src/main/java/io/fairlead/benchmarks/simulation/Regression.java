package io.fairlead.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares new figures with those before, and tells which have become worse by more than chance explains. */
final class Regression {
    private static final double GOOD_POINTS = 1;
    private static final double ERROR_POINTS = 0.5;
    private static final double ERROR_SHARE = 0.1;
    private static final double LATENCY_MILLIS = 20;
    private static final double LATENCY_SHARE = 0.2;
    private static final double RECOVERY_SECONDS = 5;

    private Regression() {}

    /** A line for each figure that is worse, or that there was none of before. */
    static List<String> worse(List<RunFigures> before, List<RunFigures> now) {
        Map<String, RunFigures> known = before.stream().collect(Collectors.toMap(RunFigures::key, Function.identity()));
        List<String> worse = new ArrayList<>();
        for (RunFigures run : now) {
            RunFigures base = known.get(run.key());
            if (base == null) {
                worse.add(run.key() + ": no figures to compare with");
            } else {
                compare(base, run, worse);
            }
        }
        return worse;
    }

    private static void compare(RunFigures base, RunFigures run, List<String> worse) {
        if (run.goodPercent() < base.goodPercent() - GOOD_POINTS) {
            worse.add(line(run, "goodput", "fell", base.goodPercent(), run.goodPercent(), "%"));
        }
        if (run.errorPercent() > base.errorPercent() * (1 + ERROR_SHARE) + ERROR_POINTS) {
            worse.add(line(run, "errors", "rose", base.errorPercent(), run.errorPercent(), "%"));
        }
        if (run.p99Millis() > base.p99Millis() * (1 + LATENCY_SHARE) + LATENCY_MILLIS) {
            worse.add(line(run, "p99", "rose", base.p99Millis(), run.p99Millis(), "ms"));
        }
        OptionalDouble recovery = run.recoverySeconds();
        double recoveryBase = base.recoverySeconds().orElse(0);
        if (recovery.isPresent() && recovery.getAsDouble() > recoveryBase + RECOVERY_SECONDS) {
            worse.add(line(run, "recovery", "rose", recoveryBase, recovery.getAsDouble(), "s"));
        }
    }

    private static String line(RunFigures run, String figure, String verb, double before, double now, String unit) {
        return String.format(Locale.ROOT, "%s: %s %s from %.2f to %.2f %s", run.key(), figure, verb, before, now, unit);
    }
}
