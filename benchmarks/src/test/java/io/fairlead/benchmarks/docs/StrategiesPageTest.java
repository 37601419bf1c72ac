package io.fairlead.benchmarks.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ServiceSpec;
import io.fairlead.strategy.Strategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StrategiesPageTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PICTURE = Pattern.compile("!\\[[^]]*]\\(([^)]*)\\)");

    static List<String> snippets() throws IOException {
        return YAML.matcher(page()).results().map(match -> match.group(1)).toList();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void everyConfigurationOfThePageIsValid(String yaml) {
        ConfigFile file = ConfigFile.parse("strategies.md", yaml);

        assertThat(file.problems().list()).isEmpty();
        assertThat(file.services()).isNotEmpty().allSatisfy(StrategiesPageTest::isUsable);
    }

    @Test
    void everyStrategyHasASectionAndAPicture() throws IOException {
        for (String strategy : Strategies.names()) {
            assertThat(page()).contains("\n### " + strategy + "\n", "(img/balance-" + strategy + ".svg)");
        }
    }

    @Test
    void everyPictureIsThere() throws IOException {
        assertThat(PICTURE.matcher(page()).results().map(match -> match.group(1)))
                .hasSizeGreaterThan(Strategies.names().size())
                .allSatisfy(picture -> assertThat(DOCS.resolve(picture)).isRegularFile());
    }

    private static void isUsable(ServiceSpec service) {
        assertThat(service.name()).isNotEmpty();
    }

    private static String page() throws IOException {
        return Files.readString(DOCS.resolve("strategies.md"));
    }
}
