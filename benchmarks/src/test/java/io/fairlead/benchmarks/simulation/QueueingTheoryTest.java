package io.fairlead.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The simulator agrees with what is known in closed form: L. Kleinrock, <i>Queueing Systems</i>, vol. 1 (1975), and M.
 * Mitzenmacher, <i>The Power of Two Choices in Randomized Load Balancing</i> (2001).
 */
@Tag("thorough")
class QueueingTheoryTest {
    private static final Settings PATIENT =
            new Settings("patient", TimeLimits.of(Duration.ofHours(1), Duration.ofHours(1)), balancer -> {});
    private static final Scenario NO_FAULT = new Scenario("none", "none", 0, 0, List.of(), 0, stage -> {});

    @Test
    void oneServerIsTheQueueMM1() {
        // Kleinrock, section 3.2: T = 1 / (mu - lambda).
        double mean = mean(1, 1, ServiceTime.exponential(1e6), 500, "wrr");

        assertThat(mean).isCloseTo(1000.0 / (1000 - 500), withinPercentage(3));
    }

    @Test
    void constantServiceIsTheQueueMD1() {
        // Pollaczek and Khinchine; Kleinrock, section 5.6: T = 1 / mu + rho / (2 mu (1 - rho)).
        double mean = mean(1, 1, ServiceTime.constant(1e6), 500, "wrr");

        assertThat(mean).isCloseTo(1 + 0.5 / (2 * (1 - 0.5)), withinPercentage(3));
    }

    @Test
    void severalWorkersAreTheQueueMMc() {
        // Kleinrock, section 3.5, by Erlang's C formula: T = C(c, a) / (c mu - lambda) + 1 / mu.
        double mean = mean(1, 4, ServiceTime.exponential(4e6), 600, "wrr");

        assertThat(mean).isCloseTo(1000 * erlangC(4, 2.4) / (1000 - 600) + 4, withinPercentage(3));
    }

    @Test
    void erlangCOfTwoServersAndOneErlangIsAThird() {
        assertThat(erlangC(2, 1)).isCloseTo(1.0 / 3, withinPercentage(1e-9));
    }

    @Test
    void chanceSplitsAPoissonStreamIntoPoissonStreams() {
        // Each of ten servers is a queue M/M/1 of its own.
        double mean = mean(10, 1, ServiceTime.exponential(5e6), 10 * 100, "random");

        assertThat(mean).isCloseTo(1000.0 / (200 - 100), withinPercentage(3));
    }

    @Test
    void twoChoicesAreAsGoodAsMitzenmacherSays() {
        // T = the sum over i >= 1 of lambda^(2^i - 2), in units of the service time, as the servers become many.
        double mean = mean(100, 1, ServiceTime.exponential(5e6), 100 * 140, "p2c");

        double expected = 0;
        for (int i = 1; i <= 6; i++) {
            expected += Math.pow(0.7, Math.pow(2, i) - 2);
        }
        assertThat(mean).isCloseTo(5 * expected, withinPercentage(2));
    }

    /** The mean response time in milliseconds, of some 80,000 requests. */
    private static double mean(int servers, int concurrency, ServiceTime service, double rate, String strategy) {
        int seconds = (int) (80_000 / rate);
        World world = new World(
                servers, concurrency, Integer.MAX_VALUE, service, rate, 1000, 0, 0, seconds, Math.max(1, seconds / 20));
        return Simulation.run(world, NO_FAULT, PATIENT, strategy).meanMillis();
    }

    private static double erlangC(int servers, double load) {
        double term = 1;
        double sum = 0;
        for (int k = 0; k < servers; k++) {
            sum += term;
            term *= load / (k + 1);
        }
        double waiting = term / (1 - load / servers);
        return waiting / (sum + waiting);
    }
}
