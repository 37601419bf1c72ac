package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of clients in the docs is that of the matrix. */
final class ClientTableTest {
    /** The Java of the page. */
    private static final int JAVA = 17;

    @Test
    void thePageHasARowForEachCellOfTheMatrixAndNoOther() throws Exception {
        List<String> rows =
                Files.readAllLines(new File("../docs/agent-clients.md").toPath(), StandardCharsets.UTF_8).stream()
                        .filter(line -> line.matches("\\| .* \\| " + JAVA + " \\| .* \\|"))
                        .collect(Collectors.toList());

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        Cell.every().stream().map(cell -> cell.row(JAVA, "all")).collect(Collectors.toList()));
    }
}
