package io.fairlead.servlet.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class AccessLogTest {
    @TempDir
    private Path directory;

    @Test
    void whatWasToldBeforeTheEndIsWrittenByThen() throws IOException {
        Path file = directory.resolve("logs/access.log");
        try (AccessLog log = log(file)) {
            for (int i = 0; i < 1000; i++) {
                log.add(LogFormatTest.entry(null, "/" + i, Map.of()));
            }
            assertThat(log.lost()).isZero();
        }

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(1000);
        assertThat(lines.get(999)).contains("GET /999 ");
    }

    @Test
    void aFileThatWasRenamedIsLeftForANewOne() throws IOException {
        Path file = directory.resolve("access.log");
        Path rotated = directory.resolve("access.log.1");
        try (AccessLog log = log(file)) {
            log.add(LogFormatTest.entry(null, "/before", Map.of()));
            await(() -> Files.exists(file) && Files.size(file) > 0);
            Files.move(file, rotated);

            await(() -> {
                log.add(LogFormatTest.entry(null, "/after", Map.of()));
                return Files.exists(file) && Files.size(file) > 0;
            });
        }

        assertThat(Files.readString(rotated)).contains("/before");
        assertThat(Files.readString(file)).contains("/after").doesNotContain("/before");
    }

    @Test
    void aFileThatWasCutShortIsWrittenOnFromItsBeginning() throws IOException {
        Path file = directory.resolve("access.log");
        try (AccessLog log = log(file)) {
            log.add(LogFormatTest.entry(null, "/before", Map.of()));
            await(() -> Files.exists(file) && Files.size(file) > 0);
            Files.writeString(file, "");

            log.add(LogFormatTest.entry(null, "/after", Map.of()));
        }

        assertThat(Files.readString(file)).startsWith("127.0.0.1").contains("/after");
    }

    @Test
    @Timeout(20)
    void whereNobodyTakesTheLinesTheyAreLostAndCountedAndNobodyWaits() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        AccessLog log = log(pipe);

        for (int i = 0; i < 10_000; i++) {
            log.add(LogFormatTest.entry(null, "/", Map.of()));
        }

        assertThat(log.lost()).isBetween(1L, 9_000L);
        // Takes what waits, so that the thread ends.
        Process reader = new ProcessBuilder("cat", pipe.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        log.close();
        assertThat(reader.waitFor()).isZero();
    }

    @Test
    void aLogThatIsSwitchedOffHasWrittenWhatItTook() throws IOException {
        Path file = directory.resolve("access.log");
        try (AccessLog log = log(file)) {
            log.add(LogFormatTest.entry(null, "/", Map.of()));
            log.configure(null);
            log.add(LogFormatTest.entry(null, "/off", Map.of()));
            assertThat(log.spec()).isNull();
            await(() -> Files.exists(file) && Files.size(file) > 0);
        }

        assertThat(Files.readAllLines(file)).hasSize(1);
    }

    private static AccessLog log(Path file) {
        AccessLog log = new AccessLog();
        log.configure(LogFormatTest.spec("{filePath: \"" + file + "\", bufferingSize: 2000}"));
        return log;
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(20))
                .until(condition::holds);
    }
}
