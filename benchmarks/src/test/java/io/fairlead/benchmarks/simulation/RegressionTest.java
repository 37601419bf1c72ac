package io.fairlead.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RegressionTest {
    private static final RunFigures BEFORE = figures(99, 1, 200, 4);

    @Test
    void theSameFiguresAreNotWorse() {
        assertThat(Regression.worse(List.of(BEFORE), List.of(BEFORE))).isEmpty();
    }

    @Test
    void betterFiguresAreNotWorse() {
        assertThat(Regression.worse(List.of(BEFORE), List.of(figures(100, 0, 20, 0))))
                .isEmpty();
    }

    @Test
    void whatChanceExplainsIsNotWorse() {
        assertThat(Regression.worse(List.of(BEFORE), List.of(figures(98.1, 1.5, 250, 9))))
                .isEmpty();
    }

    @Test
    void lessGoodputIsWorse() {
        assertThat(Regression.worse(List.of(BEFORE), List.of(figures(97.9, 1, 200, 4))))
                .containsExactly("slow / advised / p2c: goodput fell from 99.00 to 97.90 %");
    }

    @Test
    void moreErrorsAreWorse() {
        assertThat(Regression.worse(List.of(BEFORE), List.of(figures(99, 1.7, 200, 4))))
                .containsExactly("slow / advised / p2c: errors rose from 1.00 to 1.70 %");
    }

    @Test
    void aHigherLatencyIsWorse() {
        assertThat(Regression.worse(List.of(BEFORE), List.of(figures(99, 1, 261, 4))))
                .containsExactly("slow / advised / p2c: p99 rose from 200.00 to 261.00 ms");
    }

    @Test
    void aServiceThatDoesNotComeBackAnyMoreIsWorse() {
        assertThat(Regression.worse(List.of(BEFORE), List.of(figures(99, 1, 200, Double.POSITIVE_INFINITY))))
                .containsExactly("slow / advised / p2c: recovery rose from 4.00 to Infinity s");
    }

    @Test
    void aRunThatNobodyKnowsIsTold() {
        assertThat(Regression.worse(List.of(), List.of(BEFORE)))
                .containsExactly("slow / advised / p2c: no figures to compare with");
    }

    @Test
    void aLineIsReadAsItWasWritten() {
        assertThat(RunFigures.parse(BEFORE.line())).isEqualTo(BEFORE);
        RunFigures never = figures(0, 100, 30_000, Double.POSITIVE_INFINITY);
        assertThat(RunFigures.parse(never.line())).isEqualTo(never);
    }

    private static RunFigures figures(double good, double errors, double p99, double recovery) {
        return new RunFigures(
                "slow",
                "advised",
                "p2c",
                1000,
                good,
                errors,
                50,
                p99,
                0.25,
                OptionalDouble.of(recovery),
                OptionalDouble.of(3),
                OptionalDouble.empty(),
                List.of(97.0, 3.0));
    }
}
