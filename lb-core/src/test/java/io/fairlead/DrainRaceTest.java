package io.fairlead;

import io.fairlead.race.Races;
import io.fairlead.strategy.RecentFailures;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Who waits for a server to drain while a request is under way, and another one ends and tells those who waited. */
@Tag("race")
@Isolated("Lincheck changes classes while others load them, and both wait for each other")
public class DrainRaceTest {
    private final EndpointState state = new EndpointState(RecentFailures.counted());
    private final AtomicBoolean isFirstEnded = new AtomicBoolean();

    /** A request is under way when the race begins, and its end is waited for. */
    public DrainRaceTest() {
        state.begin(0);
        if (state.drained().isDone()) {
            throw new IllegalStateException("a request is under way");
        }
    }

    @Operation
    public void endFirst() {
        if (isFirstEnded.compareAndSet(false, true)) {
            state.end();
        }
    }

    /** Never, since this request itself is under way. */
    @Operation
    public boolean isDrainedWithinARequest() {
        state.begin(0);
        boolean isDrained = state.drained().isDone();
        state.end();
        return isDrained;
    }

    @Test
    void everyInterleavingIsExplainedByAnOrder() {
        Races.explore(DrainRaceTest.class);
    }
}
