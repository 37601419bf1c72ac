package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files made to hurt: the answer is a problem, soon, and never an exception. */
final class HostileFilesTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void randomDamageNeverThrowsAndNeverHangs() {
        Random random = new Random(20240229);
        String[] seeds = {
            Resources.text("contract.yaml"), Resources.text("five-mistakes.yaml"), Resources.text("anchors.yaml")
        };
        int broken = 0;
        for (int i = 0; i < 5000; i++) {
            String yaml = damaged(seeds[i % seeds.length], random);
            ConfigFile file =
                    assertTimeoutPreemptively(SOON, () -> ConfigFile.parse("lb.yaml", yaml), () -> "hangs:\n" + yaml);
            file.services().forEach(ServiceSpec::parts);
            for (ConfigProblem problem : file.problems().list()) {
                assertThat(problem.toString()).doesNotContain("\n").doesNotContain("Exception");
                assertThat(problem.line()).isBetween(1, yaml.split("\n", -1).length + 1);
            }
            broken += file.problems().isEmpty() ? 0 : 1;
        }
        assertThat(broken).isGreaterThan(3000);
    }

    private static String damaged(String yaml, Random random) {
        StringBuilder text = new StringBuilder(yaml);
        for (int n = 1 + random.nextInt(4); n > 0 && text.length() > 1; n--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(6)) {
                case 0:
                    text.setLength(at);
                    break;
                case 1:
                    text.deleteCharAt(at);
                    break;
                case 2:
                    text.insert(at, "\t\n -:{}[],&*!|>'\"%@`#?~<".charAt(random.nextInt(24)));
                    break;
                case 3:
                    text.setCharAt(at, (char) random.nextInt(0x250));
                    break;
                case 4:
                    text.delete(at, Math.min(text.length(), at + random.nextInt(60)));
                    break;
                default:
                    int from = random.nextInt(text.length());
                    text.insert(at, text.substring(from, Math.min(text.length(), from + random.nextInt(80))));
                    break;
            }
        }
        return text.toString();
    }

    @Test
    void nestingIsBounded() {
        assertToldSoon(repeat("[", 1_000_000), "lb.yaml:1: the file is nested more than 64 deep");
        assertToldSoon(repeat("{a: ", 200_000), "lb.yaml:1: the file is nested more than 64 deep");
        assertToldSoon(repeat("- ", 200_000), "lb.yaml:1: the file is nested more than 64 deep");
        assertToldSoon(repeat("? ", 200_000), "lb.yaml:1: the file is nested more than 64 deep");
    }

    @Test
    void aliasesThatMultiplyAreBounded() {
        StringBuilder yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            yaml.append("a").append(i).append(": &a").append(i).append(" [");
            yaml.append(repeat("*a" + (i - 1) + ", ", 10)).append("]\n");
        }

        assertToldSoon(yaml.toString(), "lb.yaml:5: a4[7]: the file's aliases stand for more than 100000 values");
    }

    @Test
    void mergesThatMultiplyAreBounded() {
        StringBuilder yaml = new StringBuilder("m: &m {");
        for (int i = 0; i < 1000; i++) {
            yaml.append("k").append(i).append(": 1, ");
        }
        yaml.append("}\nall:\n");
        for (int i = 0; i < 100_000; i++) {
            yaml.append("  - {<<: *m}\n");
        }

        assertToldSoon(yaml.toString(), "aliases stand for more than 100000 values");
    }

    @Test
    void theNumberOfValuesIsBounded() {
        assertToldSoon("a: [" + repeat("x,", 1_100_000) + "]", "the file holds more than 1000000 values");
    }

    @Test
    void theSizeIsBounded(@TempDir Path directory) throws IOException {
        byte[] bytes = new byte[FileText.MAX_BYTES + 1];
        Arrays.fill(bytes, (byte) '#');
        Path file = directory.resolve("large.yaml");
        Files.write(file, bytes);

        assertThat(ConfigFile.read(file).problems()).hasToString(file + ":1: the file is larger than 16 MiB");
        assertToldSoon(new String(bytes, StandardCharsets.US_ASCII), "lb.yaml:1: the file is larger than 16 MiB");
    }

    @Test
    void aLongChainOfServicesIsTold() {
        StringBuilder yaml = new StringBuilder("http:\n  services:\n    s0: {loadBalancer: {servers: []}}\n");
        for (int i = 1; i < 10_000; i++) {
            yaml.append("    s")
                    .append(i)
                    .append(": {mirroring: {service: s")
                    .append(i - 1)
                    .append("}}\n");
        }

        assertToldSoon(
                yaml.toString(),
                "lb.yaml:20: http.services.s17.mirroring.service: services may be made of others 16 deep");
    }

    @Test
    void aLongCircleOfServicesIsToldOnce() {
        StringBuilder yaml = new StringBuilder("http:\n  services:\n");
        for (int i = 0; i < 10_000; i++) {
            yaml.append("    s")
                    .append(i)
                    .append(": {mirroring: {service: s")
                    .append((i + 1) % 10_000)
                    .append("}}\n");
        }

        assertToldSoon(yaml.toString(), "the service is made of itself: s0 -> s1 -> s2");
    }

    @Test
    void servicesThatShareTheirPartsAreBounded() {
        StringBuilder yaml = new StringBuilder("http:\n  services:\n    s0: {loadBalancer: {servers: []}}\n");
        for (int i = 1; i < 16; i++) {
            String part = "s" + (i - 1);
            yaml.append("    s").append(i).append(": {failover: {service: ").append(part);
            yaml.append(", fallback: ").append(part).append("}}\n");
        }

        assertToldSoon(yaml.toString(), "lb.yaml:12: http.services.s9.failover.fallback: services may be made");
    }

    @Test
    void manyNamesThatMeanNothingAreToldSoon() {
        StringBuilder yaml = new StringBuilder("http:\n  services:\n");
        for (int i = 0; i < 5_000; i++) {
            yaml.append("    service-of-a-long-name-").append(i).append(": {mirroring: {service: ");
            yaml.append("service-of-a-lung-name-").append(i).append("}}\n");
        }

        assertToldSoon(yaml.toString(), "there is no service 'service-of-a-lung-name-0'; did you mean");
    }

    private static void assertToldSoon(String yaml, String told) {
        ConfigFile file = assertTimeoutPreemptively(SOON, () -> ConfigFile.parse("lb.yaml", yaml));
        assertThat(file.problems().list().get(0).toString()).contains(told);
    }

    private static String repeat(String text, int times) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < times; i++) {
            all.append(text);
        }
        return all.toString();
    }
}
