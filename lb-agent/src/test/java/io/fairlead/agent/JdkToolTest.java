package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The properties are those that the launchers of JDK 8 and 17 set. */
final class JdkToolTest {
    private final Map<String, String> properties = new HashMap<>();

    @Test
    void toolsOfJava8AreKnownByTheirMainClass() {
        command("sun.security.tools.keytool.Main -list");
        assertTool(true);
        command("com.sun.tools.javac.Main -version");
        assertTool(true);
        command("sun.tools.jps.Jps");
        assertTool(true);
    }

    @Test
    void toolsOfLaterJavaAreKnownByTheirModule() {
        command("java.base/sun.security.tools.keytool.Main -list");
        properties.put("jdk.module.main", "java.base");
        assertTool(true);
        command("jdk.compiler/com.sun.tools.javac.Main -version");
        properties.put("jdk.module.main", "jdk.compiler");
        assertTool(true);
    }

    @Test
    void aSourceFileThatTheLauncherCompilesIsAnApplication() {
        command("jdk.compiler/com.sun.tools.javac.launcher.Main App.java");
        properties.put("jdk.module.main", "jdk.compiler");
        assertTool(false);
    }

    @Test
    void theLauncherWithNothingToRunIsATool() {
        properties.put("sun.java.launcher", "SUN_STANDARD");
        assertTool(true);
    }

    @Test
    void aJvmInsideAnotherProgramIsAnApplication() {
        assertTool(false);
    }

    @Test
    void applicationsAreApplications() {
        properties.put("sun.java.launcher", "SUN_STANDARD");
        command("com.example.Main with arguments");
        assertTool(false);
        command("app.jar");
        properties.put("java.class.path", "app.jar");
        assertTool(false);
        command("com.example.shop/com.example.Main");
        properties.put("jdk.module.main", "com.example.shop");
        assertTool(false);
    }

    @Test
    void theAgentsOwnCommandLineIsATool() {
        command("lib/lb-agent.jar check lb.yaml");
        properties.put("java.class.path", "lib/lb-agent.jar");
        assertTool(true);
    }

    private void command(String line) {
        properties.put("sun.java.command", line);
    }

    private void assertTool(boolean expected) {
        assertThat(JdkTool.isRunning(properties::get, new File("lib/lb-agent.jar")))
                .isEqualTo(expected);
    }
}
