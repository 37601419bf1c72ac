package io.fairlead.strategy;

import java.util.List;
import java.util.Map;

/** Pearson's test of counts against weights. */
final class ChiSquare {
    private ChiSquare() {}

    /** By how many standard deviations the statistic is above its mean, in Wilson and Hilferty's normal form. */
    static double deviation(Map<String, Integer> counts, List<? extends Candidate> candidates, boolean weighted) {
        double sum =
                candidates.stream().mapToDouble(c -> weighted ? c.weight() : 1).sum();
        double total = counts.values().stream().mapToInt(Integer::intValue).sum();
        double statistic = 0;
        for (Candidate candidate : candidates) {
            double expected = total * (weighted ? candidate.weight() : 1) / sum;
            double difference = counts.getOrDefault(candidate.id(), 0) - expected;
            statistic += difference * difference / expected;
        }
        double freedom = candidates.size() - 1.0;
        double spread = 2 / (9 * freedom);
        return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
    }
}
