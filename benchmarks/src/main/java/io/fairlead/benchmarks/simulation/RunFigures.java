package io.fairlead.benchmarks.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The figures of one run, a line of the file of figures.
 *
 * @param scenario what went wrong
 * @param settings what the user had configured
 * @param strategy how servers were picked
 * @param requests how many were measured
 * @param goodPercent of the requests were served within a second
 * @param errorPercent of the requests failed
 * @param p50Millis half of the requests had ended after so long, well or not
 * @param p99Millis 99 % of the requests had ended after so long, well or not
 * @param retryPercent tries beyond the first, of the requests
 * @param recoverySeconds from the end of the fault until goodput was back; infinite: it was not; empty: no fault
 * @param faultyShare the share of tries that the faulty servers got while they were, in percent; empty: there are none
 * @param faultyShareAfter the same after that, to the end of the run
 * @param shares each server's share of the tries while the fault lasted, or of the whole run, in percent
 */
record RunFigures(
        String scenario,
        String settings,
        String strategy,
        long requests,
        double goodPercent,
        double errorPercent,
        double p50Millis,
        double p99Millis,
        double retryPercent,
        OptionalDouble recoverySeconds,
        OptionalDouble faultyShare,
        OptionalDouble faultyShareAfter,
        List<Double> shares) {

    static final String HEAD = "scenario,settings,strategy,requests,good_percent,error_percent,p50_ms,p99_ms,"
            + "retry_percent,recovery_s,faulty_share,faulty_share_after,shares";

    private static final int FIELDS = HEAD.split(",", -1).length;

    static RunFigures of(World world, Scenario scenario, Settings settings, String strategy, Recording recording) {
        double[] shares = scenario.hasFault()
                ? recording.shares(scenario.faultFrom(), scenario.faultTo())
                : recording.shares(world.measuredFrom(), world.seconds());
        return new RunFigures(
                scenario.name(),
                settings.name(),
                strategy,
                recording.requests(),
                recording.goodPercent(),
                recording.errorPercent(),
                recording.quantileMillis(0.5),
                recording.quantileMillis(0.99),
                recording.retryPercent(),
                Recovery.seconds(world, scenario, recording),
                sum(scenario, shares),
                sum(scenario, recording.shares(scenario.faultTo(), world.seconds())),
                Arrays.stream(shares).boxed().toList());
    }

    private static OptionalDouble sum(Scenario scenario, double[] shares) {
        return scenario.faulty().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(scenario.faulty().stream()
                        .mapToDouble(server -> shares[server])
                        .sum());
    }

    /** Scenario, settings and strategy, by which a run is found again. */
    String key() {
        return scenario + " / " + settings + " / " + strategy;
    }

    String line() {
        return String.join(
                ",",
                scenario,
                settings,
                strategy,
                Long.toString(requests),
                number(goodPercent),
                number(errorPercent),
                number(p50Millis),
                number(p99Millis),
                number(retryPercent),
                number(recoverySeconds),
                number(faultyShare),
                number(faultyShareAfter),
                shares.stream().map(RunFigures::number).collect(Collectors.joining(";")));
    }

    /**
     * The figures of a line.
     *
     * @throws IllegalArgumentException it is none
     */
    static RunFigures parse(String line) {
        String[] f = line.split(",", -1);
        if (f.length != FIELDS) {
            throw new IllegalArgumentException(f.length + " fields and not " + FIELDS + ": " + line);
        }
        return new RunFigures(
                f[0],
                f[1],
                f[2],
                Long.parseLong(f[3]),
                Double.parseDouble(f[4]),
                Double.parseDouble(f[5]),
                Double.parseDouble(f[6]),
                Double.parseDouble(f[7]),
                Double.parseDouble(f[8]),
                optional(f[9]),
                optional(f[10]),
                optional(f[11]),
                Arrays.stream(f[12].split(";", -1)).map(Double::valueOf).toList());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "";
    }

    private static OptionalDouble optional(String field) {
        return field.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(field));
    }
}
