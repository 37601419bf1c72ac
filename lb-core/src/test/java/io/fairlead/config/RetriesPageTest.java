package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ServiceSettings;
import io.fairlead.retry.Backoff;
import io.fairlead.retry.HedgePolicy;
import io.fairlead.retry.RetryPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page on retries shows is so. */
final class RetriesPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    private final String page = page();

    @Test
    void everyConfigurationIsAcceptedAsItStands() {
        assertThat(settings()).hasSize(3);
    }

    @Test
    void whatIsCalledDefaultsAreThem() {
        assertThat(settings().get(0).retry()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(settings().get(1).retry().backoff()).isEqualTo(Backoff.USUAL);
        assertThat(settings().get(2).hedge()).isEqualTo(HedgePolicy.builder().build());
        assertThat(settings().get(2).retry()).isEqualTo(RetryPolicy.DEFAULT);
    }

    private List<ServiceSettings> settings() {
        List<ServiceSettings> all = new ArrayList<>();
        Matcher block = YAML.matcher(page);
        while (block.find()) {
            ConfigFile file = ConfigFile.parse("retries.md", block.group(1));
            assertThat(file.problems().list()).isEmpty();
            assertThat(file.notices()).isEmpty();
            all.add(((LoadBalancerSpec) file.services().get(0)).settings());
        }
        return all;
    }

    private static String page() {
        try {
            return new String(Files.readAllBytes(Paths.get("../docs/retries.md")), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError("the page is missing", e);
        }
    }
}
