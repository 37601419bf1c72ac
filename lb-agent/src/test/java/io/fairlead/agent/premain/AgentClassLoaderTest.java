package io.fairlead.agent.premain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentClassLoaderTest {
    private static final String SAMPLE = AgentClassLoaderTest.class.getName();

    @TempDir
    Path folder;

    private File jar;

    @BeforeEach
    void makeJar() throws IOException {
        jar = folder.resolve("agent.jar").toFile();
        String path = SAMPLE.replace('.', '/');
        try (JarOutputStream out = new JarOutputStream(new FileOutputStream(jar));
                InputStream sample = AgentClassLoaderTest.class.getResourceAsStream("/" + path + ".class")) {
            out.putNextEntry(new JarEntry("inst/" + path + ".classdata"));
            byte[] buffer = new byte[4096];
            for (int n = sample.read(buffer); n >= 0; n = sample.read(buffer)) {
                out.write(buffer, 0, n);
            }
            text(out, "inst/text", "for all");
            folder(out, "inst/META-INF/versions/9/");
            text(out, "inst/META-INF/versions/9/text", "for 9");
            folder(out, "inst/META-INF/versions/24/");
            text(out, "inst/META-INF/versions/24/text", "for 24");
            text(out, "outside", "outside");
        }
    }

    @Test
    void aClassComesFromTheIsolatedFolder() throws Exception {
        ClassLoader loader = new AgentClassLoader(jar);

        Class<?> own = loader.loadClass(SAMPLE);
        assertThat(own).isNotSameAs(AgentClassLoaderTest.class);
        assertThat(own.getClassLoader()).isSameAs(loader);
        assertThat(loader.getResourceAsStream(SAMPLE.replace('.', '/') + ".class"))
                .isNotNull();
    }

    @Test
    void classesOfTheApplicationAreNotVisible() throws Exception {
        ClassLoader loader = new AgentClassLoader(jar);

        assertThatThrownBy(() -> loader.loadClass("org.junit.jupiter.api.Test"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThat(loader.getResourceAsStream("outside")).isNull();
    }

    @Test
    void theNewestVersionThatTheJvmUnderstandsIsTaken() throws Exception {
        assertThat(text(new AgentClassLoader(jar, 8))).isEqualTo("for all");
        assertThat(text(new AgentClassLoader(jar, 9))).isEqualTo("for 9");
        assertThat(text(new AgentClassLoader(jar, 23))).isEqualTo("for 9");
        assertThat(text(new AgentClassLoader(jar, 25))).isEqualTo("for 24");
    }

    @Test
    void versionsOfJavaAreReadInBothSpellings() {
        assertThat(AgentClassLoader.feature("1.8")).isEqualTo(8);
        assertThat(AgentClassLoader.feature("25")).isEqualTo(25);
    }

    private static String text(ClassLoader loader) {
        try (Scanner scanner = new Scanner(loader.getResourceAsStream("text"), "UTF-8")) {
            return scanner.nextLine();
        }
    }

    private static void folder(JarOutputStream out, String name) throws IOException {
        out.putNextEntry(new JarEntry(name));
    }

    private static void text(JarOutputStream out, String name, String content) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(content.getBytes(StandardCharsets.UTF_8));
    }
}
