package io.fairlead.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A change of the core that makes the service worse under a fault fails here. Where that is meant, {@code benchmarks/run
 * simulation} renews the figures and says which have become worse; they go into the change.
 */
@Tag("thorough")
class NothingGotWorseTest {
    /** One of each kind: in turn, by load and latency, by key. All of them would take a minute. */
    private static final Set<String> STRATEGIES = Set.of("wrr", "peak-ewma", "maglev");

    private static final Set<Settings> SETTINGS = Set.of(Settings.DEFAULTS, Settings.ADVISED);

    @Test
    void noFigureIsWorseThanThatOfTheReport() throws IOException {
        List<RunFigures> now =
                Run.all(plan -> STRATEGIES.contains(plan.strategy()) && SETTINGS.contains(plan.settings())).stream()
                        .map(Run::figures)
                        .toList();

        assertThat(Regression.worse(FiguresFile.read(Path.of("..", "docs", "simulation.csv")), now))
                .as("worse than docs/simulation.csv; if that is meant, benchmarks/run simulation renews the figures")
                .isEmpty();
    }
}
