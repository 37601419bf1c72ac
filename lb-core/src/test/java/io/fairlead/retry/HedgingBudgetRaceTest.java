package io.fairlead.retry;

import io.fairlead.race.Races;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Copies taken from one budget at the same time: never more than it holds, never fewer. */
@Tag("race")
@Isolated("Lincheck changes classes while others load them, and both wait for each other")
public class HedgingBudgetRaceTest {
    private final Hedging hedging = new Hedging(() -> 0);
    private final HedgePolicy policy = HedgePolicy.builder().budgetPercent(50).build();

    @Operation
    public void request() {
        hedging.request(policy);
    }

    @Operation
    public boolean copy() {
        return hedging.tryCopy();
    }

    @Test
    void everyInterleavingIsExplainedByAnOrder() {
        Races.explore(HedgingBudgetRaceTest.class);
    }
}
