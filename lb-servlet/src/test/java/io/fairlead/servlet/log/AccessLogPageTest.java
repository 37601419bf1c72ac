package io.fairlead.servlet.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page on the access log shows is so. */
class AccessLogPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final String SERVICES =
            "  services: {orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}}\n";

    @Test
    void everyConfigurationIsAcceptedAsItStands() throws IOException {
        List<MatchResult> blocks = YAML.matcher(page()).results().toList();

        assertThat(blocks).isNotEmpty().allSatisfy(block -> {
            ConfigFile file = ConfigFile.parse("access-log.md", block.group(1) + SERVICES);
            assertThat(AccessLogSpec.read(file.http().get("accessLog"))).isNotNull();
            assertThat(file.problems().list()).isEmpty();
        });
    }

    @Test
    void everyNameAndEveryEndIsOnThePage() throws IOException {
        assertThat(JsonFormat.names()).allSatisfy(name -> assertThat(page()).contains("`" + name + "`"));
        assertThat(AccessEntry.End.values())
                .allSatisfy(end -> assertThat(page()).contains("| `" + end.text() + "` |"));
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/access-log.md"));
    }
}
