package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
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

    static Stream<Cell> clients() throws IOException {
        // Its servers speak HTTP/1.1 only.
        return Cell.all(true).stream().filter(cell -> !cell.isHttp2());
    }

    @ParameterizedTest
    @MethodSource("clients")
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
        try (Backend a = Backend.start("a");
                Backend b = Backend.start("b")) {
            File file = Configs.orders(folder, a.url(), "http://127.0.0.1:" + Backend.deadPort(), b.url());
            try (Jvm app = Jvm.java("-javaagent:" + Jvm.agent() + "=" + file, "-jar", jar.getPath())) {
                assertThat(app.ask("get http://orders/x", 4))
                        .contains("200 a http://orders/x", "200 b http://orders/x")
                        .containsOnly("200 a http://orders/x", "200 b http://orders/x");
                assertThat(app.ask("post http://orders/x 1000", 2)).allMatch(answer -> answer.startsWith("200 "));
                assertThat(app.agentLines()).isEmpty();
            }
        }
    }
}
