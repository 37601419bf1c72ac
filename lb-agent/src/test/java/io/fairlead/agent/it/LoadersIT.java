package io.fairlead.agent.it;

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
        String classes = new File("target/test-classes").getAbsolutePath();
        try (Orders orders = Orders.in(folder);
                Jvm app = Jvm.java(
                        orders.agent(),
                        "-cp",
                        classes,
                        "app.Loaders",
                        kind,
                        cell.classPath(),
                        "app.client." + cell.program)) {
            orders.assertReachedBy(app);
        }
    }
}
