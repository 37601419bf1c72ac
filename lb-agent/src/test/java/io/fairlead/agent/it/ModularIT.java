package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** An application of named modules, whose clients are in a named module of the JDK and in automatic ones. */
@DisabledOnJre(JRE.JAVA_8)
@Tag("thorough")
final class ModularIT {
    @TempDir
    Path folder;

    @Test
    void clientsInModulesAreHooked() throws Exception {
        File classes = folder.resolve("classes").toFile();
        assertThat(classes.mkdir()).isTrue();
        String jars = Cell.newest("Apache4").classPath();
        String modules = jars.substring(jars.indexOf(File.pathSeparatorChar) + 1);
        Sources.compile("modular", classes, "--release", "11", "--module-path", modules);
        try (Backend a = Backend.start("a");
                Backend b = Backend.start("b")) {
            File file = Configs.orders(folder, a.url(), "http://127.0.0.1:" + Backend.deadPort(), b.url());
            try (Jvm app = Jvm.java(
                    "-javaagent:" + Jvm.agent() + "=" + file,
                    "--module-path",
                    classes + File.pathSeparator + modules,
                    "--module",
                    "shop.app/shop.app.Main")) {
                assertThat(app.ask("module ?")).isEqualTo("shop.app");
                for (String client : new String[] {"jdk", "apache", "url"}) {
                    assertThat(app.ask(client + " http://orders/x", 4))
                            .as(client)
                            .contains("a", "b")
                            .containsOnly("a", "b");
                }
                assertThat(app.agentLines()).isEmpty();
            }
        }
    }
}
