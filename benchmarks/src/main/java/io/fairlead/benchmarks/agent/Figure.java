package io.fairlead.benchmarks.agent;

import java.util.Arrays;
import java.util.List;

/** What several processes measured of one thing. */
record Figure(List<Double> values) {
    double median() {
        return quantile(0.5);
    }

    /** Half of what lies between the quartiles. */
    double spread() {
        return (quantile(0.75) - quantile(0.25)) / 2;
    }

    private double quantile(double share) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
