package io.fairlead.benchmarks.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.benchmarks.Weighting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultTableTest {
    @Test
    void theTableIsMadeOfTheFiguresAlone(@TempDir Path folder) throws IOException {
        Path figures = folder.resolve("figures.csv");
        Path table = folder.resolve("table.md");
        Figures.write(
                figures,
                Map.of("machine", "an abacus", "command", "benchmarks/run strategies"),
                List.of(
                        new Measurement("wrr", 100, Weighting.EQUAL, 1, 4.06, 5, 0.001, 0.4),
                        new Measurement("wrr", 100, Weighting.EQUAL, 2, 12.34, 13, 0.001, 0.4),
                        new Measurement("dubbo-round-robin", 100, Weighting.EQUAL, 1, 8286.4, 8300, 24, 25)));

        ResultTable.write(figures, table);

        assertThat(Files.readString(table)).contains("Measured on: an abacus.").contains("""

                        ## wrr

                        | | weights | 100 | B |
                        | --- | --- | ---: | ---: |
                        | **ours** | equal | 4.1 / 12.3 | 0 |
                        | Dubbo RoundRobin (smooth) | equal | 8,286 | 24 |
                        """);
    }
}
