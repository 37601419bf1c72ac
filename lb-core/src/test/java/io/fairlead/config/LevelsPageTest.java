package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LevelOptions;
import io.fairlead.ZonePreference;
import io.fairlead.health.SlowStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The snippets and defaults of docs/levels.md. */
final class LevelsPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    static List<String> snippets() throws IOException {
        List<String> snippets = new ArrayList<>();
        Matcher matcher = YAML.matcher(page());
        while (matcher.find()) {
            snippets.add(matcher.group(1));
        }
        return snippets;
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void everyConfigurationOfThePageIsValidAndHasAnEffect(String yaml) {
        ConfigFile file = ConfigFile.parse("levels.md", yaml);
        assertThat(file.problems().list()).isEmpty();
        assertThat(file.notices()).isEmpty();
        assertThat(file.services())
                .isNotEmpty()
                .allSatisfy(service -> assertThat(service.name()).isNotEmpty());
    }

    @Test
    void theSnippetsMeanWhatThePageSays() throws IOException {
        List<LevelOptions> options = new ArrayList<>();
        for (String snippet : snippets()) {
            for (ServiceSpec spec : ConfigFile.parse("levels.md", snippet).services()) {
                options.add(((LoadBalancerSpec) spec).levels());
            }
        }
        LevelOptions none = LevelOptions.DEFAULT;
        assertThat(options)
                .containsExactly(
                        none.withSlowStart(SlowStart.of(Duration.ofSeconds(30))),
                        none.withSlowStart(SlowStart.of(Duration.ofMinutes(1))
                                .withAggression(1.5)
                                .withMinWeightPercent(5)),
                        none.withPanicThreshold(50),
                        none.withOverprovisioningFactor(140),
                        none.withZones(ZonePreference.of("eu-1").withMinHealthyPercent(70)));
    }

    private static String page() throws IOException {
        return new String(Files.readAllBytes(Paths.get("..", "docs", "levels.md")), StandardCharsets.UTF_8);
    }
}
