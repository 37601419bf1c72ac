package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that somebody has damaged: the application starts, and what it calls is answered. */
final class FuzzedConfigurationIT {
    private static final String GOOD = "http:\n  services:\n    orders:\n      loadBalancer:\n        strategy: hrw\n"
            + "        hashBy: \"$http_x_user $arg_a\"\n        servers:\n          - url: \"http://127.0.0.1:1\"\n"
            + "            weight: 2\n            zone: eu-1\n          - url: \"http://[::1]:2\"\n            backup: true\n"
            + "        healthCheck: {path: /h, interval: 10s, timeout: 3s}\n"
            + "        passiveHealthCheck: {maxFailedAttempts: 5, failureWindow: 10s}\n        slowStart: 30s\n"
            + "    both:\n      failover: {service: orders, fallback: spare}\n"
            + "    spare: {loadBalancer: {servers: [{url: \"http://127.0.0.1:3\"}]}}\n"
            + "  routers:\n    r: {rule: \"PathPrefix(`/x`) && !Method(`GET`)\", service: orders}\n";

    @TempDir
    Path folder;

    @Test
    void anApplicationStartsWhateverIsInTheFile() throws Exception {
        starts(new Random(1), 3);
    }

    @Tag("long")
    @Test
    void anApplicationStartsWithManyDamagedFiles() throws Exception {
        starts(new Random(2), 60);
    }

    @Test
    void aRunningApplicationGoesOnWhateverIsWrittenIntoTheFile() throws Exception {
        Random random = new Random(3);
        try (Backend server = Backend.start("server")) {
            File file = Configs.orders(folder, server.url());
            byte[] good = Files.readAllBytes(file.toPath());
            try (Jvm app = Jvm.underAgent(file)) {
                assertThat(app.ask("get http://orders/x")).isEqualTo("200 server http://orders/x");
                for (int i = 0; i < 200; i++) {
                    Files.write(file.toPath(), damaged(random));
                    if (i % 10 == 0) {
                        assertThat(app.ask("get " + server.url() + "/x")).startsWith("200 server");
                    }
                }
                Files.write(file.toPath(), good);
                Jvm.await()
                        .untilAsserted(() ->
                                assertThat(app.ask("get http://orders/x")).isEqualTo("200 server http://orders/x"));
                assertThat(app.errorsWith("\tat ")).isEmpty();
            }
        }
    }

    private void starts(Random random, int times) throws Exception {
        try (Backend server = Backend.start("server")) {
            for (int i = 0; i < times; i++) {
                byte[] content = damaged(random);
                File file =
                        Files.write(folder.resolve("lb" + i + ".yaml"), content).toFile();
                try (Jvm app = Jvm.underAgent(file)) {
                    assertThat(app.ask("get " + server.url() + "/x"))
                            .as(new String(content, StandardCharsets.ISO_8859_1))
                            .startsWith("200 server");
                    assertThat(app.end()).isZero();
                    assertThat(app.output()).hasSize(1);
                    assertThat(app.errors())
                            .noneMatch(line -> line.startsWith("\tat ") || line.contains("a fault of the agent"));
                }
            }
        }
    }

    /** A good file with some bytes changed, cut out or doubled. */
    private static byte[] damaged(Random random) {
        StringBuilder text = new StringBuilder(GOOD);
        for (int damages = 1 + random.nextInt(6); damages > 0; damages--) {
            int at = random.nextInt(text.length());
            int length = Math.min(1 + random.nextInt(20), text.length() - at);
            switch (random.nextInt(4)) {
                case 0:
                    text.setCharAt(at, (char) random.nextInt(256));
                    break;
                case 1:
                    text.delete(at, at + length);
                    break;
                case 2:
                    text.insert(at, text.substring(at, at + length));
                    break;
                default:
                    text.insert(at, "{}[]:&*!|>'\"%@`#-?\t\n".charAt(random.nextInt(20)));
                    break;
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
