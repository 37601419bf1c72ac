package io.fairlead.benchmarks.simulation;

import java.util.OptionalDouble;

/** How long after a fault a service takes until it serves again what it served before. */
final class Recovery {
    private static final int BASE_SECONDS = 10;
    private static final int STEADY_SECONDS = 5;
    private static final double ENOUGH = 0.9;

    private Recovery() {}

    /**
     * Seconds from the end of the fault to the first five in a row that have nine tenths of the goodput of the ten before
     * the fault; infinite where there are none; empty where there is no fault.
     */
    static OptionalDouble seconds(World world, Scenario scenario, Recording recording) {
        if (!scenario.hasFault()) {
            return OptionalDouble.empty();
        }
        int[] good = recording.goodInSecond();
        double enough =
                ENOUGH * STEADY_SECONDS * sum(good, scenario.faultFrom() - BASE_SECONDS, BASE_SECONDS) / BASE_SECONDS;
        for (int second = scenario.faultTo(); second + STEADY_SECONDS <= world.seconds(); second++) {
            if (sum(good, second, STEADY_SECONDS) >= enough) {
                return OptionalDouble.of(second - scenario.faultTo());
            }
        }
        return OptionalDouble.of(Double.POSITIVE_INFINITY);
    }

    private static double sum(int[] values, int from, int count) {
        double sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += values[i];
        }
        return sum;
    }
}
