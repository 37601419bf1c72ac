package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ServiceSettings;
import io.fairlead.config.ConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages on WebSockets and on forward mode show is accepted as it stands, and their defaults are so. */
final class TunnelPagesTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(strings = {"websocket.md", "forward-mode.md"})
    void everyConfigurationIsAcceptedAsItStands(String page) throws Exception {
        Matcher block = YAML.matcher(Files.readString(Path.of("../docs", page)));
        int blocks = 0;
        while (block.find()) {
            ConfigFile file = ConfigFile.parse(page, block.group(1));
            ProxyConfig.check(file);
            assertThat(file.problems().list()).isEmpty();
            assertThat(file.notices()).isEmpty();
            blocks++;
        }
        assertThat(blocks).isPositive();
    }

    @Test
    void theDefaultsAreThoseOfThePages() {
        ConfigFile file = ConfigFile.parse("a", "http: {forwardProxy: {hosts: [a]}, services: {}}");

        assertThat(ServiceSettings.DEFAULT.tunnelIdleTimeout()).isEqualTo(Duration.ofHours(1));
        assertThat(ProxyConfig.read(file, null).forward().idle()).isEqualTo(Duration.ofMinutes(5));
        assertThat(ProxyConfig.read(file, null).forward().forwardedFields()).isFalse();
    }
}
