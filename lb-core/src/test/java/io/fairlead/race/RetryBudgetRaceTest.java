package io.fairlead.race;

import io.fairlead.retry.RetryBudget;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Retries taken from one budget at the same time: never more than it holds, never fewer. */
@Tag("race")
@Isolated("Lincheck changes classes while others load them, and both wait for each other")
public class RetryBudgetRaceTest {
    private final RetryBudget budget = new RetryBudget(() -> 0, 0.5, 2);

    @Operation
    public void request() {
        budget.request();
    }

    @Operation
    public boolean retry() {
        return budget.tryRetry();
    }

    @Test
    void everyInterleavingIsExplainedByAnOrder() {
        Races.explore(RetryBudgetRaceTest.class);
    }
}
