package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.health.HealthCheck;
import io.fairlead.observe.StateChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code docs/health-checks.md} says is so. */
final class HealthChecksPageTest {
    private static final Path PAGE = Paths.get("..", "docs", "health-checks.md");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-zA-Z]+)` \\| `([^`]*)` \\|");

    @Test
    void everyConfigurationOfThePageIsValidAndHasItsEffect() throws IOException {
        List<String> snippets = all(YAML, page());
        assertThat(snippets).hasSizeGreaterThan(1);
        for (String yaml : snippets) {
            ConfigFile file = ConfigFile.parse("health-checks.md", yaml);
            assertThat(file.problems().list()).isEmpty();
            assertThat(file.notices()).isEmpty();
        }
    }

    @Test
    void theSecondConfigurationIsReadAsItIsMeant() throws IOException {
        ConfigFile file = ConfigFile.parse("page", all(YAML, page()).get(1));
        HealthCheck orders = ((LoadBalancerSpec) file.services().get(0)).healthCheck();
        HealthCheck cache = ((LoadBalancerSpec) file.services().get(1)).healthCheck();

        assertThat(orders.hostname()).isEqualTo("orders.internal");
        assertThat(orders.headers()).containsEntry("Authorization", "Bearer check");
        assertThat(orders.status().contains(200)).isTrue();
        assertThat(orders.status().contains(204)).isFalse();
        assertThat(orders.bodyPattern().matcher("{\"status\" : \"UP\"}").find()).isTrue();
        assertThat(orders.unhealthyInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(orders.jitter()).isEqualTo(20);
        assertThat(orders.initiallyUp()).isFalse();
        assertThat(cache.path()).isNull();
        assertThat(cache.unhealthyInterval()).isEqualTo(cache.interval()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void theDefaultsOfThePageAreThoseOfTheCheck() throws IOException {
        Map<String, String> defaults = new LinkedHashMap<>();
        Matcher row = ROW.matcher(page());
        while (row.find()) {
            defaults.put(row.group(1), row.group(2));
        }
        HealthCheck check = HealthCheck.builder().build();

        assertThat(defaults)
                .containsEntry("method", check.method())
                .containsEntry("status", check.status().toString())
                .containsEntry("followRedirects", String.valueOf(check.followRedirects()))
                .containsEntry("interval", check.interval().toMillis() / 1000 + "s")
                .containsEntry("jitter", String.valueOf(check.jitter()))
                .containsEntry("timeout", check.timeout().toMillis() / 1000 + "s")
                .containsEntry("fall", String.valueOf(check.fall()))
                .containsEntry("rise", String.valueOf(check.rise()))
                .containsEntry("initiallyUp", String.valueOf(check.initiallyUp()));
    }

    @Test
    void everyKeyAndEveryKindOfChangeIsNamed() throws IOException {
        String page = page();
        String known = ConfigFile.parse(
                        "f", "http: {services: {a: {loadBalancer: {servers: []}, healthCheck: {zzzzzzzzzzzz: 1}}}}")
                .problems()
                .toString();
        for (String key : known.substring(known.indexOf("known here: ") + 12).split(", ", -1)) {
            assertThat(page).contains("| `" + key + "` |");
        }
        for (StateChange.Kind kind : StateChange.Kind.values()) {
            assertThat(page).contains("`" + kind + "`");
        }
    }

    private static List<String> all(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static String page() throws IOException {
        return new String(Files.readAllBytes(PAGE), StandardCharsets.UTF_8);
    }
}
