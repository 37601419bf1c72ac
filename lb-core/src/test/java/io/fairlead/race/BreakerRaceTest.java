package io.fairlead.race;

import io.fairlead.health.Breaker;
import io.fairlead.health.CircuitBreaker;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Transitions of a circuit breaker: opening by failures, becoming half-open by time, and what its probes decide. That
 * successes are counted between a failure's count and what follows from it is allowed: the share of failures is that of a
 * moment.
 */
@Param(name = "failed", gen = BooleanGen.class)
@Tag("race")
@Isolated("Lincheck changes classes while others load them, and both wait for each other")
public class BreakerRaceTest {
    private static final long OPEN_NANOS = 1_000_000_000L;
    /** The number that the first probes get after the first opening, made out by a breaker of the same age. */
    private static final int FIRST_TICKET = firstTicket();

    private final Breaker breaker = closed();

    private static Breaker closed() {
        return new Breaker(
                CircuitBreaker.builder()
                        .minRequests(2)
                        .failurePercent(50)
                        .openDuration(Duration.ofNanos(OPEN_NANOS))
                        .probes(2)
                        .requiredSuccesses(2)
                        .build(),
                0);
    }

    private static int firstTicket() {
        Breaker breaker = closed();
        breaker.ended(Breaker.NO_PROBE, true, 0, 0);
        breaker.ended(Breaker.NO_PROBE, true, 0, 0);
        breaker.expire(OPEN_NANOS);
        return breaker.tryEnter();
    }

    @Operation
    public String requestFails() {
        return String.valueOf(breaker.ended(Breaker.NO_PROBE, true, 0, 0));
    }

    @Operation
    public int enter() {
        return breaker.tryEnter();
    }

    @Operation
    public String firstProbesEnd(@Param(name = "failed") boolean failed) {
        return String.valueOf(breaker.ended(FIRST_TICKET, failed, OPEN_NANOS, OPEN_NANOS));
    }

    @Operation
    public void firstProbesReturn() {
        breaker.returned(FIRST_TICKET);
    }

    @Operation
    public boolean timeGoesBy() {
        return breaker.expire(OPEN_NANOS);
    }

    @Operation
    public String state() {
        return breaker.state().toString();
    }

    @Test
    void everyInterleavingIsExplainedByAnOrder() {
        Races.explore(BreakerRaceTest.class);
    }
}
