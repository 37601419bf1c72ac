package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CircuitTest {
    private static final long MILLI = 1_000_000L;

    private long now = 17;
    /** What the last request that was let through got. */
    private long admitted;

    private Circuit circuit(String expression) throws Exception {
        return new Circuit(
                CircuitBreaker.condition(expression),
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                () -> now);
    }

    private void after(Duration time) {
        now += time.toNanos();
    }

    private void end(Circuit circuit, int count, int status) {
        for (int i = 0; i < count; i++) {
            circuit.ended(admitted, status, MILLI);
        }
    }

    @Test
    void itOpensWhenTheConditionHoldsAtACheck() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        end(circuit, 7, 200);
        end(circuit, 3, 502);
        after(Duration.ofMillis(100));
        end(circuit, 1, 200);
        assertThat(admits(circuit)).isTrue();

        end(circuit, 3, 504);
        // Checked at most once in a period.
        assertThat(admits(circuit)).isTrue();
        after(Duration.ofMillis(100));
        end(circuit, 1, 502);

        assertThat(admits(circuit)).isFalse();
        assertThat(circuit.secondsLeft()).isEqualTo(10);
    }

    @Test
    void theShareOfStatusesIsThatOfTraefiksRanges() throws Exception {
        Circuit circuit = circuit("ResponseCodeRatio(500, 600, 0, 600) > 0.25");
        end(circuit, 2, 404);
        end(circuit, 1, 200);
        after(Duration.ofMillis(100));
        end(circuit, 1, 500);
        assertThat(admits(circuit)).isTrue();
        after(Duration.ofMillis(100));
        end(circuit, 1, 599);
        assertThat(admits(circuit)).isFalse();
    }

    @Test
    void latencyCountsAtItsQuantile() throws Exception {
        Circuit circuit = circuit("LatencyAtQuantileMS(50.0) > 100");
        for (int i = 0; i < 60; i++) {
            circuit.ended(admitted, 200, 20 * MILLI);
        }
        for (int i = 0; i < 40; i++) {
            circuit.ended(admitted, 200, 5000 * MILLI);
        }
        after(Duration.ofMillis(100));
        circuit.ended(admitted, 200, 20 * MILLI);
        assertThat(admits(circuit)).isTrue();
        for (int i = 0; i < 40; i++) {
            circuit.ended(admitted, 200, 150 * MILLI);
        }
        after(Duration.ofMillis(100));
        circuit.ended(admitted, 200, 150 * MILLI);
        assertThat(admits(circuit)).isFalse();
    }

    @Test
    void whatIsOlderThanTenSecondsIsForgotten() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        end(circuit, 50, 502);
        after(Duration.ofSeconds(11));
        end(circuit, 1, 200);
        assertThat(admits(circuit)).isTrue();
        after(Duration.ofDays(400));
        end(circuit, 1, 200);
        assertThat(admits(circuit)).isTrue();
    }

    @Test
    void afterTheFallbackAGrowingShareIsLetThroughAndThenAll() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        after(Duration.ofMillis(100));
        end(circuit, 1, 502);
        assertThat(admits(circuit)).isFalse();
        // Those that were under way do not count.
        end(circuit, 9, 502);

        after(Duration.ofSeconds(10));
        assertThat(admits(circuit)).isFalse();
        after(Duration.ofSeconds(2));
        assertThat(admitted(circuit, 100)).isBetween(15, 25);
        after(Duration.ofSeconds(3));
        assertThat(admitted(circuit, 100)).isGreaterThan(60);
        end(circuit, 5, 200);
        after(Duration.ofSeconds(5));
        assertThat(admitted(circuit, 100)).isEqualTo(100);
    }

    @Test
    void itRecoversWhetherOrNotRequestsComeMeanwhile() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        after(Duration.ofMillis(100));
        end(circuit, 1, 502);
        after(Duration.ofSeconds(21));
        assertThat(admitted(circuit, 10)).isEqualTo(10);
    }

    @Test
    void aFailureWhileItRecoversOpensItAgain() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        after(Duration.ofMillis(100));
        end(circuit, 1, 502);
        after(Duration.ofSeconds(15));
        admitted(circuit, 10);
        after(Duration.ofSeconds(5));
        assertThat(admitted(circuit, 10)).isPositive();
        end(circuit, 1, 502);
        assertThat(admitted(circuit, 10)).isZero();
        assertThat(circuit.secondsLeft()).isEqualTo(10);
    }

    private boolean admits(Circuit circuit) {
        long given = circuit.admit();
        if (given == Circuit.REFUSED) {
            return false;
        }
        admitted = given;
        return true;
    }

    @Test
    void requestsFromBeforeItOpenedDoNotOpenItAgain() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        long before = circuit.admit();
        after(Duration.ofMillis(100));
        end(circuit, 1, 502);
        after(Duration.ofSeconds(10));
        assertThat(admits(circuit)).isFalse();
        after(Duration.ofSeconds(5));
        assertThat(admits(circuit)).isTrue();

        // It had waited for its server until its time limit.
        circuit.ended(before, 504, 15_000 * MILLI);

        assertThat(admitted(circuit, 10)).isPositive();
        end(circuit, 1, 502);
        assertThat(admitted(circuit, 10)).isZero();
    }

    private int admitted(Circuit circuit, int of) {
        int admitted = 0;
        for (int i = 0; i < of; i++) {
            admitted += admits(circuit) ? 1 : 0;
        }
        return admitted;
    }
}
