package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.compose.MirrorOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/composed-services.md shows is so. */
final class ComposedServicesPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    static List<String> snippets() throws IOException {
        String page =
                new String(Files.readAllBytes(Paths.get("..", "docs", "composed-services.md")), StandardCharsets.UTF_8);
        List<String> snippets = new ArrayList<>();
        Matcher yaml = YAML.matcher(page);
        while (yaml.find()) {
            snippets.add(yaml.group(1));
        }
        return snippets;
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void everyConfigurationOfThePageIsValidAndHasAnEffect(String yaml) {
        ConfigFile file = ConfigFile.parse("composed-services.md", yaml);

        assertThat(file.problems().list()).isEmpty();
        assertThat(file.notices()).isEmpty();
        assertThat(file.services()).isNotEmpty();
    }

    @Test
    void whatThePageShowsOfMirroringAreTheDefaults() throws IOException {
        List<MirroringSpec> shown = new ArrayList<>();
        for (String yaml : snippets()) {
            for (ServiceSpec service : ConfigFile.parse("page", yaml).services()) {
                if (service instanceof MirroringSpec) {
                    shown.add((MirroringSpec) service);
                }
            }
        }
        assertThat(shown).hasSize(1);
        assertThat(shown.get(0).options()).isEqualTo(MirrorOptions.DEFAULT);
    }
}
