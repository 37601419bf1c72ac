package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client in a loader that hides everything but the JDK's packages, the bootstrap loader's own among it. */
@Tag("thorough")
final class LoadersIT {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"isolated", "filtering", "nested"})
    void clientsInLoadersOfOthersAreHooked(String kind) throws Exception {
        Cell cell = Cell.newest("Apache4");
        try (Backend a = Backend.start("a");
                Backend b = Backend.start("b")) {
            File file = Configs.orders(folder, a.url(), "http://127.0.0.1:" + Backend.deadPort(), b.url());
            String classes = new File("target/test-classes").getAbsolutePath();
            try (Jvm app = Jvm.java(
                    "-javaagent:" + Jvm.agent() + "=" + file,
                    "-cp",
                    classes,
                    "app.Loaders",
                    kind,
                    cell.classPath(),
                    "app.client." + cell.program)) {
                assertThat(app.ask("get http://orders/x", 4))
                        .contains("200 a http://orders/x", "200 b http://orders/x")
                        .containsOnly("200 a http://orders/x", "200 b http://orders/x");
                assertThat(app.agentLines()).isEmpty();
            }
        }
    }
}
