package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications of named modules, whose clients are in modules of the JDK, in automatic ones and in modules of their own. */
@DisabledOnJre(JRE.JAVA_8)
@Tag("thorough")
final class ModularIT {
    @TempDir
    Path folder;

    @Test
    void clientsInModulesAreHooked() throws Exception {
        try (Orders orders = Orders.in(folder);
                Jvm app = start(orders, "modular", "11", "Apache4", "shop.app/shop.app.Main")) {
            assertThat(app.ask("module ?")).isEqualTo("shop.app");
            for (String client : new String[] {"jdk", "apache", "url"}) {
                Orders.assertBoth(app.ask(client + " http://orders/x", 4), "a", "b");
            }
            assertThat(app.agentLines()).isEmpty();
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_17)
    void aClientThatIsANamedModuleIsHooked() throws Exception {
        try (Orders orders = Orders.in(folder);
                Jvm app = start(orders, "modular-jetty", "17", "Jetty", "shop.jetty/shop.jetty.Main")) {
            assertThat(app.ask("module ?")).isEqualTo("org.eclipse.jetty.client");
            Orders.assertBoth(app.ask("get http://orders/x", 4), "a", "b");
            assertThat(app.agentLines()).isEmpty();
        }
    }

    /** An application on the class path, and the client with all that it needs beside it as modules. */
    @ParameterizedTest
    @ValueSource(strings = {"VertxHttp", "OkHttp", "Apache5", "Apache5Async", "AsyncHttp"})
    void clientsBesideTheClassPathAreHooked(String program) throws Exception {
        String jars = Cell.newest(program).classPath();
        int end = jars.indexOf(File.pathSeparatorChar);
        try (Orders orders = Orders.in(folder);
                Jvm app = Jvm.java(
                        orders.agent(),
                        "--module-path",
                        jars.substring(end + 1),
                        "--add-modules",
                        "ALL-MODULE-PATH",
                        "-cp",
                        jars.substring(0, end),
                        "app.client." + program)) {
            orders.assertReachedBy(app);
        }
    }

    private Jvm start(Orders orders, String sources, String release, String program, String main) throws Exception {
        File classes = folder.resolve("classes").toFile();
        assertThat(classes.mkdir()).isTrue();
        String jars = Cell.newest(program).classPath();
        String modules = jars.substring(jars.indexOf(File.pathSeparatorChar) + 1);
        Sources.compile(sources, classes, "--release", release, "--module-path", modules);
        return Jvm.java(orders.agent(), "--module-path", classes + File.pathSeparator + modules, "--module", main);
    }
}
