package io.fairlead.benchmarks.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages tell to run can be run. */
class CommandsTest {
    private static final Pattern COMMAND = Pattern.compile("benchmarks/run ([a-z]+)");

    @ParameterizedTest
    @ValueSource(
            strings = {"README.md", "../docs/strategies.md", "../docs/simulation.md", "../docs/proxy-benchmark.md"})
    void everyCommandOfThePageIsOneOfTheScripts(String page) throws IOException {
        String script = Files.readString(Path.of("run"));
        List<String> commands = COMMAND.matcher(Files.readString(Path.of(page)))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(commands)
                .isNotEmpty()
                .allSatisfy(command ->
                        assertThat(script).contains("\n    " + command + ")\n", "\n       benchmarks/run " + command));
    }
}
