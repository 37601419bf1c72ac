package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.Weighting;
import io.fairlead.strategy.Strategies;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What is measured, and in what order: all of one algorithm together, ours beside its peers, so that whatever else the
 * machine does in the meantime falls on both.
 */
final class Plan {
    /** What stands before a strategy's name where not a pick is measured but the building of a picker. */
    static final String BUILD = "build ";

    private static final List<Integer> SIZES = List.of(10, 100, 1_000, 10_000);
    private static final List<Integer> ENDS = List.of(100, 10_000);

    private final boolean quick;
    private final Pattern only;
    private final int allThreads;

    /**
     * A plan.
     *
     * @param quick two sizes and one thread, but for what shares a counter
     * @param only which subjects, by a part of their algorithm or name
     * @param allThreads how many threads "all cores" are
     */
    Plan(boolean quick, Pattern only, int allThreads) {
        this.quick = quick;
        this.only = only;
        this.allThreads = allThreads;
    }

    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (Entry entry : Catalogue.byAlgorithm()) {
            if (only.matcher(entry.algorithm()).find()
                    || only.matcher(entry.name()).find()) {
                stepsOf(entry, steps);
            }
        }
        for (String strategy : Strategies.names()) {
            if (only.matcher(BUILD + strategy).find()) {
                for (Weighting weights : quick ? List.of(Weighting.MIXED) : List.of(Weighting.values())) {
                    steps.add(new Step(BUILD + strategy, 10_000, weights, 1));
                }
            }
        }
        return steps;
    }

    private void stepsOf(Entry entry, List<Step> steps) {
        boolean counts = entry.name().equals("counter") || Catalogue.COUNTING.contains(entry.algorithm());
        List<Integer> alone = switch (entry.kind()) {
            case YARDSTICK -> List.of(100);
            case OURS_FROM_TEXT -> ENDS;
            default -> quick ? ENDS : SIZES;
        };
        List<Integer> together = switch (entry.kind()) {
            case YARDSTICK -> List.of(100);
            case OURS_FROM_TEXT -> List.of();
            case OURS -> quick ? (counts ? List.of(100) : List.of()) : SIZES;
            case PEER -> quick ? (counts ? List.of(100) : List.of()) : ENDS;
        };
        for (Weighting weights : Weighting.values()) {
            if (weights == Weighting.MIXED && (quick ? !entry.algorithm().equals("wrr") : !entry.heedsWeights())) {
                continue;
            }
            alone.forEach(servers -> steps.add(new Step(entry.name(), servers, weights, 1)));
            if (allThreads > 1) {
                together.forEach(servers -> steps.add(new Step(entry.name(), servers, weights, allThreads)));
            }
        }
    }

    /** One process of measurement. */
    record Step(String subject, int servers, Weighting weights, int threads) {}
}
