package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.cli.Commands;
import io.fairlead.config.ConfigFile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages on the agent show is as they show it. */
final class AgentPagesTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND = Pattern.compile("java -jar lb-agent/target/lb-agent\\.jar (\\w+)");

    @TempDir
    Path folder;

    @Test
    void everySnippetIsAConfigurationThatTheAgentTakes() throws Exception {
        Matcher snippets = YAML.matcher(page("agent.md"));
        int count = 0;
        while (snippets.find()) {
            ConfigFile file = ConfigFile.parse("lb.yaml", snippets.group(1));
            assertThat(file.problems().list()).isEmpty();
            Path written =
                    Files.write(folder.resolve("lb.yaml"), snippets.group(1).getBytes(StandardCharsets.UTF_8));
            assertThat(Commands.run(new String[] {"check", written.toString()}, new File("lb-agent.jar")))
                    .isZero();
            count++;
        }
        assertThat(count).isPositive();
    }

    @Test
    void everyCommandOfThePageIsOneThatTheJarKnows() throws Exception {
        String source = text(new File("src/main/java/io/fairlead/agent/cli/Commands.java"));
        Matcher commands = COMMAND.matcher(page("agent.md"));
        int count = 0;
        while (commands.find()) {
            assertThat(source).contains("arguments[0].equals(\"" + commands.group(1) + "\")");
            count++;
        }
        assertThat(count).isEqualTo(3);
    }

    private static String page(String name) throws IOException {
        return text(new File("../docs/" + name));
    }

    private static String text(File file) throws IOException {
        return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
    }
}
