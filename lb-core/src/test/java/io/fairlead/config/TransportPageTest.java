package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ServiceSettings;
import io.fairlead.tls.TestPem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page on transports shows is so. */
final class TransportPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    @BeforeEach
    void writeCertificates() throws IOException {
        for (String file : new String[] {"ca.pem", "client.pem", "client.key"}) {
            write(file, TestPem.text(file));
        }
    }

    private void write(String file, String text) throws IOException {
        Files.write(directory.resolve(file), text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void everyConfigurationIsAcceptedAsItStands() throws Exception {
        assertThat(settings()).hasSize(3);
    }

    @Test
    void whatIsCalledDefaultsAreThem() throws Exception {
        assertThat(settings().get(0)).isEqualTo(ServiceSettings.DEFAULT);
        assertThat(settings().get(1).transport().tls().rootCAs()).hasSize(1);
    }

    private List<ServiceSettings> settings() throws IOException {
        List<ServiceSettings> all = new ArrayList<>();
        Matcher block = YAML.matcher(
                new String(Files.readAllBytes(Paths.get("..", "docs", "transport.md")), StandardCharsets.UTF_8));
        while (block.find()) {
            write("lb.yaml", block.group(1));
            ConfigFile file = ConfigFile.read(directory.resolve("lb.yaml"));
            assertThat(file.problems().list()).isEmpty();
            assertThat(file.notices()).isEmpty();
            all.add(((LoadBalancerSpec) file.services().get(0)).settings());
        }
        return all;
    }
}
