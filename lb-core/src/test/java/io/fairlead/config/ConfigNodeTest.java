package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What routers and middlewares, read elsewhere, rely on. */
final class ConfigNodeTest {
    private static final String SERVICES = "http:\n  services: {a: {loadBalancer: {servers: []}}}\n  middlewares:\n";

    private static ConfigFile file(String... lines) {
        return ConfigFile.parse("lb.yaml", SERVICES + "    " + String.join("\n    ", lines));
    }

    @Test
    void aNodeKnowsItsPlace() {
        ConfigNode node = file("Strip:", "  list:", "    - x", "    - {y: 1}")
                .http()
                .get("middlewares")
                .get("strip")
                .get("list")
                .items()
                .get(1)
                .get("y");

        assertThat(node.path()).isEqualTo("http.middlewares.Strip.list[1].y");
        assertThat(node.key()).isEqualTo("y");
        assertThat(node.line()).isEqualTo(7);
        assertThat(node.isMissing()).isFalse();
        assertThat(node.integer(0, 5, 0)).isEqualTo(1);
    }

    @Test
    void theCanonicalTextIsTheSameExactlyForTheSameValue() {
        String text = canonical("a: {b: [1, x y], C: {}}");

        assertThat(canonical("A:", "  # elsewhere", "  b:", "  - '1'", "  - \"x y\"", "  c: {}"))
                .isEqualTo(text);
        assertThat(canonical("a: {b: [1, x, y], C: {}}")).isNotEqualTo(text);
        assertThat(canonical("a: {b: [[1], x y], C: {}}")).isNotEqualTo(text);
        assertThat(canonical("a: {b: [1, x y], C: }")).isNotEqualTo(text);
        assertThat(file("a: x").http().get("nothing").canonical()).isEmpty();
    }

    private static String canonical(String... lines) {
        return file(lines).http().get("middlewares").canonical();
    }

    @Test
    void aMissingNodeHasThePlaceAroundItAndDefaults() {
        ConfigFile file = file("strip:", "  stripPrefix: {}");
        ConfigNode missing =
                file.http().get("middlewares").get("strip").get("StripPrefix").get("prefixes");

        assertThat(missing.isMissing()).isTrue();
        assertThat(missing.line()).isEqualTo(5);
        assertThat(missing.path()).isEqualTo("http.middlewares.strip.stripPrefix.prefixes");
        assertThat(missing.get("deeper").entries()).isEmpty();
        assertThat(missing.items()).isEmpty();
        assertThat(missing.strings()).isEmpty();
        assertThat(missing.string()).isNull();
        assertThat(missing.string("x")).isEqualTo("x");
        assertThat(missing.integer(0, 9, 7)).isEqualTo(7);
        assertThat(missing.bool(true)).isTrue();
        assertThat(missing.duration()).isNull();
        assertThat(missing.duration(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
        assertThat(file.problems().list()).isEmpty();
    }

    @Test
    void whatReadersFindWrongJoinsTheProblemsOfTheFileOnce() {
        ConfigFile file = file("strip: {stripPrefix: {prefixes: /a}}", "other:", "  stripPrefix:");
        for (int i = 0; i < 2; i++) {
            ConfigNode middlewares = file.http().get("middlewares");
            middlewares.get("strip").get("stripPrefix").get("prefixes").strings();
            middlewares.get("other").get("stripPrefix").require();
            middlewares.get("other").problem("is one too many");
            middlewares.get("other").notice("could be better");
        }

        assertThat(file.problems())
                .hasToString(
                        "lb.yaml:4: http.middlewares.strip.stripPrefix.prefixes: must be a list, not a single value\n"
                                + "lb.yaml:5: http.middlewares.other: is one too many\n"
                                + "lb.yaml:6: http.middlewares.other.stripPrefix: is missing");
        assertThat(file.notices())
                .extracting(ConfigProblem::toString)
                .containsExactly("lb.yaml:5: http.middlewares.other: could be better");
    }

    @Test
    void aMisspeltKeyIsNotToldAsMissingToo() {
        ConfigFile file = file("strip: {stripPrefix: {prefix: [a]}}");
        ConfigNode strip = file.http().get("middlewares").get("strip").get("stripPrefix");
        strip.allow("prefixes");
        boolean there = strip.get("prefixes").require();

        assertThat(there).isFalse();
        assertThat(file.problems())
                .hasToString("lb.yaml:4: http.middlewares.strip.stripPrefix.prefix: unknown key 'prefix';"
                        + " did you mean 'prefixes'?");
    }

    @Test
    void valuesInQuotesAreReadLikeOthers() {
        ConfigNode node = file("m: {a: \"5\", b: 'true', c: \"10s\", d: \"null\", e: null, f: ~, g: 007}")
                .http()
                .get("middlewares")
                .get("m");

        assertThat(node.get("a").integer(1, 9, 0)).isEqualTo(5);
        assertThat(node.get("b").bool(false)).isTrue();
        assertThat(node.get("c").duration()).isEqualTo(Duration.ofSeconds(10));
        assertThat(node.get("d").string()).isEqualTo("null");
        assertThat(node.get("e").isMissing()).isTrue();
        assertThat(node.get("f").isMissing()).isTrue();
        assertThat(node.has("F")).isTrue();
        assertThat(node.has("z")).isFalse();
        assertThat(node.get("g").integer(0, 9, 0)).isEqualTo(7);
    }
}
