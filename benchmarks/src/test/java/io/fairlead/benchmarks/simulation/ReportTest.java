package io.fairlead.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.config.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The report that is checked in belongs to the figures beside it. */
class ReportTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PICTURE = Pattern.compile("!\\[[^]]*]\\(([^)]*)\\)");

    @Test
    void theTablesOfThePageAreThoseOfTheFigures() throws IOException {
        assertThat(Page.filled(page(), Tables.of(figures())))
                .as("benchmarks/run simulation writes the tables")
                .isEqualTo(page());
    }

    @Test
    void thereAreFiguresOfEveryRun() throws IOException {
        assertThat(figures())
                .extracting(RunFigures::key)
                .containsExactlyElementsOf(Run.Plan.all().stream()
                        .map(plan ->
                                plan.scenario().name() + " / " + plan.settings().name() + " / " + plan.strategy())
                        .toList());
    }

    @Test
    void everyPictureOfThePageIsThere() throws IOException {
        List<String> pictures =
                PICTURE.matcher(page()).results().map(match -> match.group(1)).toList();

        assertThat(pictures)
                .hasSize(2 * Scenarios.all().size())
                .allSatisfy(picture -> assertThat(DOCS.resolve(picture)).isRegularFile());
    }

    @Test
    void everyConfigurationOfThePageIsValid() throws IOException {
        List<String> snippets =
                YAML.matcher(page()).results().map(match -> match.group(1)).toList();

        assertThat(snippets).isNotEmpty().allSatisfy(yaml -> {
            ConfigFile file = ConfigFile.parse("simulation.md", yaml);
            assertThat(file.problems().list()).isEmpty();
            assertThat(file.services()).isNotEmpty();
        });
    }

    @Test
    void thePageNamesEveryScenario() throws IOException {
        for (Scenario scenario : Scenarios.all()) {
            assertThat(page()).contains("\n### " + scenario.title() + "\n");
        }
    }

    @Test
    void whatStandsAroundTheTablesStays() {
        assertThat(Page.filled("a\n<!-- figures: x -->\nold\n<!-- end -->\nb $1\n", Map.of("x", "| $1 |\n")))
                .isEqualTo("a\n<!-- figures: x -->\n| $1 |\n<!-- end -->\nb $1\n");
    }

    @Test
    void aTableWithoutAPlaceAndAPlaceWithoutATableAreTold() {
        assertThatThrownBy(() -> Page.filled("nothing", Map.of("x", ""))).hasMessageContaining("no place for: [x]");
        assertThatThrownBy(() -> Page.filled("<!-- figures: y -->\n<!-- end -->", Map.of()))
                .hasMessageContaining("not: y");
    }

    private static String page() throws IOException {
        return Files.readString(DOCS.resolve("simulation.md"));
    }

    private static List<RunFigures> figures() throws IOException {
        return FiguresFile.read(DOCS.resolve("simulation.csv"));
    }
}
