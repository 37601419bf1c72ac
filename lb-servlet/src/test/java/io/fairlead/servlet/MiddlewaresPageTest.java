package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page on middlewares shows is so. */
final class MiddlewaresPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern HOOKS = Pattern.compile("<!-- snippet: hooks -->\n```java\n(.*?)```", Pattern.DOTALL);

    private static final String SERVICES =
            "  services: {orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}}\n";

    @Test
    void everyConfigurationIsAcceptedAsItStands() {
        Matcher block = YAML.matcher(text(Path.of("../docs/middlewares.md")));
        int blocks = 0;
        while (block.find()) {
            // Most show nothing but a middleware.
            String yaml = block.group(1).contains("  services:") ? block.group(1) : block.group(1) + SERVICES;
            ConfigFile file = ConfigFile.parse("middlewares.md", yaml);
            ProxyConfig.check(file);
            assertThat(file.problems().list()).as(block.group(1)).isEmpty();
            assertThat(file.notices()).as(block.group(1)).isEmpty();
            blocks++;
        }
        assertThat(blocks).isPositive();
    }

    @Test
    void theHooksOfThePageAreThoseThatAreTested() {
        Matcher page = HOOKS.matcher(text(Path.of("../docs/middlewares.md")));
        assertThat(page.find()).isTrue();

        String tested = text(Path.of("src/test/java/io/fairlead/servlet/HooksOfThePageTest.java"));

        assertThat(flat(tested)).contains(flat(page.group(1)));
    }

    /** Layout is no difference. */
    private static String flat(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(file + " is missing", e);
        }
    }
}
