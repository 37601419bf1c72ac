package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.LoadBalancerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page on rules, paths and fields shows is so. */
final class RoutingPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    private static List<ConfigFile> files() throws IOException {
        List<ConfigFile> files = new ArrayList<>();
        Matcher block = YAML.matcher(Files.readString(Path.of("../docs/routing-and-fields.md")));
        while (block.find()) {
            ConfigFile file = ConfigFile.parse("routing-and-fields.md", block.group(1));
            ProxyConfig.check(file);
            files.add(file);
        }
        return files;
    }

    @Test
    void everyConfigurationIsAcceptedAsItStands() throws IOException {
        assertThat(files()).hasSize(3).allSatisfy(file -> {
            assertThat(file.problems().list()).isEmpty();
            assertThat(file.notices()).isEmpty();
        });
    }

    @Test
    void theExamplesMeanWhatIsSaidOfThem() throws IOException {
        assertThat(files().get(1).forwardedHeaders().via()).isEqualTo("edge-1");
        assertThat(files().get(1).forwardedHeaders().forwarded()).isTrue();
        LoadBalancerSpec orders = (LoadBalancerSpec) files().get(2).services().get(0);
        assertThat(orders.settings().rewrite().domainFor("Backend.internal")).isEqualTo("shop.example");
        assertThat(orders.settings().rewrite().domainFor(".old.example")).isEmpty();
        assertThat(orders.settings().rewrite().pathFor("/app/x")).isEqualTo("/orders/x");
    }
}
