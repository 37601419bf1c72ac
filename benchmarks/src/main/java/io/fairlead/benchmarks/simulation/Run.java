package io.fairlead.benchmarks.simulation;

import io.fairlead.strategy.Strategies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * A run that is over.
 *
 * @param figures what came of it
 * @param goodInSecond its good answers in each second
 */
record Run(RunFigures figures, List<Integer> goodInSecond) {
    /**
     * A run that is to be made.
     *
     * @param scenario what goes wrong
     * @param settings what the user has configured
     * @param strategy how servers are picked
     */
    record Plan(Scenario scenario, Settings settings, String strategy) {
        /** Every scenario with all settings and strategies, in the order of the report. */
        static List<Plan> all() {
            List<Plan> plans = new ArrayList<>();
            for (Scenario scenario : Scenarios.all()) {
                for (Settings settings : Settings.all()) {
                    for (String strategy : Strategies.names()) {
                        plans.add(new Plan(scenario, settings, strategy));
                    }
                }
            }
            return plans;
        }

        /** Makes the run. */
        Run run() {
            World world = World.standard();
            Recording recording = Simulation.run(world, scenario, settings, strategy);
            return new Run(
                    RunFigures.of(world, scenario, settings, strategy, recording),
                    Arrays.stream(recording.goodInSecond()).boxed().toList());
        }
    }

    /** Makes those of all runs that are asked for, side by side; each is a world of its own, so that their order is nothing. */
    static List<Run> all(Predicate<Plan> which) {
        return Plan.all().parallelStream().filter(which).map(Plan::run).toList();
    }
}
