package io.fairlead.agent.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every client in a fat jar, where Spring Boot's loader finds it in a jar within a jar. Fetches that loader. */
@Tag("long")
final class SpringBootIT {
    private static final String LOADER = "org.springframework.boot:spring-boot-loader:";

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("io.fairlead.agent.it.Cell#newestOverHttp1")
    void clientsInAFatJarAreHooked(Cell cell) throws Exception {
        assumeTrue(Cell.feature() >= 17, "Spring Boot 3");
        check(cell, "3.5.14", "org.springframework.boot.loader.launch.JarLauncher");
    }

    @Test
    void thoseOfOlderBootsToo() throws Exception {
        check(Cell.newest("Apache4"), "2.7.18", "org.springframework.boot.loader.JarLauncher");
    }

    private void check(Cell cell, String version, String launcher) throws Exception {
        File jar = folder.resolve("app.jar").toFile();
        String[] path = cell.classPath().split(File.pathSeparator, -1);
        try (FatJar fat = new FatJar(jar, Cell.jar(LOADER + version), launcher, "app.client." + cell.program)) {
            fat.classes(new File(path[0]), "app.client");
            for (int i = 1; i < path.length; i++) {
                fat.library(new File(path[i]));
            }
        }
        try (Orders orders = Orders.in(folder);
                Jvm app = Jvm.java(orders.agent(), "-jar", jar.getPath())) {
            orders.assertReachedBy(app);
        }
    }
}
