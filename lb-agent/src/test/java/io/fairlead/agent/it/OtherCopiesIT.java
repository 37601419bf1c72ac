package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application has other versions of the libraries that the agent brings along. Fetches them. */
@Tag("long")
final class OtherCopiesIT {
    private static final String BYTE_BUDDY = "net.bytebuddy:byte-buddy:1.12.19";
    private static final String SLF4J = "org.slf4j:slf4j-api:1.7.36";

    @TempDir
    Path folder;

    private Backend server;

    @BeforeEach
    void start() throws Exception {
        server = Backend.start("server");
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void onTheClassPathEachUsesItsOwn() throws Exception {
        String path = new File("target/test-classes").getAbsolutePath()
                + File.pathSeparator
                + Cell.jar(BYTE_BUDDY)
                + File.pathSeparator
                + Cell.jar(SLF4J);
        File file = Configs.orders(folder, server.url());
        try (Jvm app = Jvm.java("-javaagent:" + Jvm.agent() + "=" + file, "-cp", path, "app.Console")) {
            assertBoth(app);
            assertThat(app.ask("from net.bytebuddy.ByteBuddy")).isEqualTo("byte-buddy-1.12.19.jar");
            assertThat(app.ask("from org.slf4j.Logger")).isEqualTo("slf4j-api-1.7.36.jar");
        }
    }

    @Test
    void onTheBootClassPathToo() throws Exception {
        String boot = Cell.jar(BYTE_BUDDY) + File.pathSeparator + Cell.jar(SLF4J);
        File file = Configs.orders(folder, server.url());
        try (Jvm app = Jvm.console("-Xbootclasspath/a:" + boot, "-javaagent:" + Jvm.agent() + "=" + file)) {
            assertBoth(app);
            assertThat(app.ask("from net.bytebuddy.ByteBuddy")).isEqualTo("nowhere");
        }
    }

    private void assertBoth(Jvm app) throws Exception {
        assertThat(app.ask("subclass")).isEqualTo("made");
        assertThat(app.ask("get http://orders/x", 2)).containsOnly("200 server http://orders/x");
        assertThat(app.ask("subclass")).isEqualTo("made");
        assertThat(app.agentLines()).isEmpty();
    }
}
