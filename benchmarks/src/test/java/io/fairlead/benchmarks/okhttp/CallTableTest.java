package io.fairlead.benchmarks.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallTableTest {
    @Test
    void aRowIsTheMedianOfTheRoundsAndWhatItTakesMoreThanPlainOkHttp() {
        Map<String, List<Round>> rounds = new LinkedHashMap<>();
        rounds.put(
                Clients.PLAIN,
                List.of(
                        new Round(50_000, 20_000, 4_000, 4),
                        new Round(90_000, 22_000, 4_000, 4),
                        new Round(40_000, 21_000, 4_001, 4)));
        rounds.put(Clients.OURS, List.of(new Round(52_000, 23_500, 5_250, 4)));
        rounds.put("Vert.x", List.of(new Round(80_000, 1_000, 9_000, 4)));

        String page = new CallTable("benchmarks/run okhttp", "a machine", rounds, List.of()).page();

        assertThat(page)
                .contains(
                        "Written by `benchmarks/run okhttp`",
                        "| " + Clients.PLAIN + " | 21.0 ± 0.5 |  | 50.0 ± 12.5 | 4,000 |  | 4 |\n",
                        "| **" + Clients.OURS + "** | 23.5 ± 0.0 | 2.5 | 52.0 ± 0.0 | 5,250 | 1,250 | 4 |\n",
                        "| Vert.x |  |  | 80.0 ± 0.0 | 9,000 |  | 4 |\n")
                .doesNotContain("Side by side");
    }

    @Test
    void whatWasMeasuredSideBySideIsShownWithItsSpread() {
        List<SideBySide.Difference> differences = List.of(
                new SideBySide.Difference(1_200, 1_800),
                new SideBySide.Difference(-300, 900),
                new SideBySide.Difference(2_100, 2_400));

        String page = new CallTable("benchmarks/run okhttp", "a machine", Map.of(), differences).page();

        assertThat(page)
                .contains(
                        "the median of 3 JVMs",
                        "| processor time | 1.2 | -0.3 | 2.1 |\n",
                        "| time a call | 1.8 | 0.9 | 2.4 |\n");
    }
}
