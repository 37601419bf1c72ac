package io.fairlead.benchmarks.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyTableTest {
    @TempDir
    private Path directory;

    @Test
    void thePagesOwnTextIsLeftAsItIs() throws IOException {
        Path page = directory.resolve("page.md");
        Files.writeString(page, "before\n" + ProxyTable.BEGIN + "old\n" + ProxyTable.END + "after\n");

        table().writeInto(page);

        assertThat(Files.readString(page))
                .startsWith("before\n" + ProxyTable.BEGIN)
                .endsWith(ProxyTable.END + "after\n")
                .doesNotContain("old\n");
    }

    @Test
    void aPageWithoutAPlaceForTheFiguresIsNotTouched() throws IOException {
        Path page = directory.resolve("page.md");
        Files.writeString(page, "before\n");

        assertThatThrownBy(() -> table().writeInto(page)).hasMessageContaining("no place for the figures");
        assertThat(page).hasContent("before\n");
    }

    @Test
    void theMedianRoundStandsInTheTableBesideItsShareOfThePeers() {
        assertThat(table().text())
                .contains("| **Fairlead gateway** | 30.0 | 0.50 | 1.50 | 1,000 | 2.00 | 4.00 |")
                .contains("| Undertow proxy | 20.0 | 0.33 | 1.00 | 1,000 | 2.00 | 4.00 |")
                .contains("| nginx | 10.0 | 0.17 | 0.50 | 1,000 | 2.00 | 4.00 |");
    }

    @Test
    void thePageOfTheDocumentationHasAPlaceForTheFigures() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "proxy-benchmark.md")))
                .containsSubsequence(ProxyTable.BEGIN, "### GET of 1 KiB", ProxyTable.END);
    }

    private static ProxyTable table() {
        List<ProxyFigures> figures = List.of(
                figures(Contenders.GATEWAY, 30),
                figures(Contenders.ASYNC_PROXY, 60),
                figures(Contenders.UNDERTOW, 20),
                figures("nginx", 10));
        return new ProxyTable(figures, "benchmarks/run proxy", "a machine", "a load", 20, 3, 2);
    }

    private static ProxyFigures figures(String name, double cpuMicros) {
        ProxyFigures figures = new ProxyFigures(name);
        Load.Result load = new Load.Result(2000, 4_000_000, 2, 2000, 4000);
        for (double factor : new double[] {1, 0.5, 9}) {
            figures.add(new ProxyFigures.Round(Case.SMALL_GET, load, cpuMicros * factor));
        }
        return figures;
    }
}
