package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of ejection, circuit breakers and limits says what the reader reads. */
final class EjectionAndLimitsPageTest {
    private static final Path PAGE = Paths.get("..", "docs", "ejection-and-limits.md");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern KEY = Pattern.compile("(?m)^\\| `([A-Za-z.]+)` \\|");

    static List<String> snippets() throws IOException {
        return found(YAML);
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void everyConfigurationOfThePageIsValid(String yaml) {
        ConfigFile file = ConfigFile.parse("page.yaml", yaml);
        assertThat(file.problems().list()).isEmpty();
        assertThat(file.notices()).isEmpty();
        assertThat(file.services()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"passiveHealthCheck", "circuitBreaker", "limits", "adaptiveLimit"})
    void everyKeyThatIsKnownStandsInATable(String group) throws IOException {
        List<String> keys = found(KEY);
        String problem = ConfigFile.parse(
                        "page.yaml",
                        "http: {services: {a: {loadBalancer: {servers: [], " + group + ": {zzzzzzzzzz: 1}}}}}")
                .problems()
                .toString();
        assertThat(problem).contains("known here: ");
        String known = problem.substring(problem.indexOf("known here: ") + 12).trim();
        for (String key : (Iterable<String>) Pattern.compile(", ").splitAsStream(known)::iterator) {
            assertThat(keys).contains(group.equals("limits") ? "limits." + key : key);
        }
    }

    @Test
    void thereAreSnippetsAndKeys() throws IOException {
        assertThat(snippets()).hasSizeGreaterThan(1);
        assertThat(found(KEY)).hasSizeGreaterThan(30);
    }

    private static List<String> found(Pattern pattern) throws IOException {
        String page = new String(Files.readAllBytes(PAGE), StandardCharsets.UTF_8);
        List<String> all = new ArrayList<>();
        for (Matcher matcher = pattern.matcher(page); matcher.find(); ) {
            all.add(matcher.group(1));
        }
        return all;
    }
}
