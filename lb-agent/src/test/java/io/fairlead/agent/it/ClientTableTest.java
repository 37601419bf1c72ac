package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of clients in the docs is that of the matrix. */
final class ClientTableTest {
    /** Those that the newest version of each client is run on, as far as it runs there. */
    private static final List<Integer> EVERY_JAVA = Arrays.asList(8, 11, 17, 21, 25);
    /** That of all versions. */
    private static final List<Integer> ONE_JAVA = Collections.singletonList(17);

    @Test
    void thePageHasARowForEachCellOfTheMatrixAndNoOther() throws Exception {
        List<String> rows =
                Files.readAllLines(new File("../docs/agent-clients.md").toPath(), StandardCharsets.UTF_8).stream()
                        .filter(line -> line.matches("\\| .* \\| [\\d, ]+ \\| .* \\|"))
                        .collect(Collectors.toList());

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        Cell.every().stream().flatMap(ClientTableTest::rows).collect(Collectors.toList()));
    }

    /** One for each set of checks that it passes, with the Java versions on which it does. */
    private static Stream<String> rows(Cell cell) {
        Map<String, String> versions = new LinkedHashMap<>();
        for (int java : cell.newest ? EVERY_JAVA : ONE_JAVA) {
            if (java >= cell.java) {
                versions.merge(
                        cell.row(java, "all").replace("| " + java + " |", "| JAVA |"),
                        Integer.toString(java),
                        (before, more) -> before + ", " + more);
            }
        }
        return versions.entrySet().stream().map(each -> each.getKey().replace("JAVA", each.getValue()));
    }
}
