package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CircuitTest {
    private static final long MILLI = 1_000_000L;

    private long now = 17;

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
            circuit.ended(status, MILLI);
        }
    }

    @Test
    void itOpensWhenTheConditionHoldsAtACheck() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        end(circuit, 7, 200);
        end(circuit, 3, 502);
        after(Duration.ofMillis(100));
        end(circuit, 1, 200);
        assertThat(circuit.admits()).isTrue();

        end(circuit, 3, 504);
        // Checked at most once in a period.
        assertThat(circuit.admits()).isTrue();
        after(Duration.ofMillis(100));
        end(circuit, 1, 502);

        assertThat(circuit.admits()).isFalse();
        assertThat(circuit.secondsLeft()).isEqualTo(10);
    }

    @Test
    void theShareOfStatusesIsThatOfTraefiksRanges() throws Exception {
        Circuit circuit = circuit("ResponseCodeRatio(500, 600, 0, 600) > 0.25");
        end(circuit, 2, 404);
        end(circuit, 1, 200);
        after(Duration.ofMillis(100));
        end(circuit, 1, 500);
        assertThat(circuit.admits()).isTrue();
        after(Duration.ofMillis(100));
        end(circuit, 1, 599);
        assertThat(circuit.admits()).isFalse();
    }

    @Test
    void latencyCountsAtItsQuantile() throws Exception {
        Circuit circuit = circuit("LatencyAtQuantileMS(50.0) > 100");
        for (int i = 0; i < 60; i++) {
            circuit.ended(200, 20 * MILLI);
        }
        for (int i = 0; i < 40; i++) {
            circuit.ended(200, 5000 * MILLI);
        }
        after(Duration.ofMillis(100));
        circuit.ended(200, 20 * MILLI);
        assertThat(circuit.admits()).isTrue();
        for (int i = 0; i < 40; i++) {
            circuit.ended(200, 150 * MILLI);
        }
        after(Duration.ofMillis(100));
        circuit.ended(200, 150 * MILLI);
        assertThat(circuit.admits()).isFalse();
    }

    @Test
    void whatIsOlderThanTenSecondsIsForgotten() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        end(circuit, 50, 502);
        after(Duration.ofSeconds(11));
        end(circuit, 1, 200);
        assertThat(circuit.admits()).isTrue();
        after(Duration.ofDays(400));
        end(circuit, 1, 200);
        assertThat(circuit.admits()).isTrue();
    }

    @Test
    void afterTheFallbackAGrowingShareIsLetThroughAndThenAll() throws Exception {
        Circuit circuit = circuit("NetworkErrorRatio() > 0.3");
        after(Duration.ofMillis(100));
        end(circuit, 1, 502);
        assertThat(circuit.admits()).isFalse();
        // Those that were under way do not count.
        end(circuit, 9, 502);

        after(Duration.ofSeconds(10));
        assertThat(circuit.admits()).isFalse();
        after(Duration.ofSeconds(2));
        assertThat(admitted(circuit, 100)).isBetween(15, 25);
        after(Duration.ofSeconds(3));
        assertThat(admitted(circuit, 100)).isGreaterThan(60);
        end(circuit, 5, 200);
        after(Duration.ofSeconds(5));
        assertThat(admitted(circuit, 100)).isEqualTo(100);
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

    private static int admitted(Circuit circuit, int of) {
        int admitted = 0;
        for (int i = 0; i < of; i++) {
            admitted += circuit.admits() ? 1 : 0;
        }
        return admitted;
    }
}
