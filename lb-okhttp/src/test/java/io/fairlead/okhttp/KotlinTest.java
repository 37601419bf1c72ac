package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/okhttp.md shows of Kotlin; {@link OkHttpPageTest} holds the two together. */
class KotlinTest {
    @TempDir
    Path directory;

    @Test
    @Tag("long")
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void withKotlin() throws Exception {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path said = directory.resolve("said.txt");
        Process compiler = new ProcessBuilder(
                        Paths.get(System.getProperty("java.home"), "bin", "java")
                                .toString(),
                        "-cp",
                        classes,
                        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
                        "-no-stdlib",
                        "-no-reflect",
                        "-classpath",
                        classes,
                        "-d",
                        directory.resolve("classes").toString(),
                        Paths.get("src/test/kotlin/Orders.kt").toString())
                .redirectErrorStream(true)
                .redirectOutput(new File(said.toString()))
                .start();
        assertThat(compiler.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(compiler.exitValue())
                .as(new String(Files.readAllBytes(said), StandardCharsets.UTF_8))
                .isZero();

        try (Backend a = Backend.named("a");
                URLClassLoader loader = new URLClassLoader(
                        new URL[] {directory.resolve("classes").toUri().toURL()}, KotlinTest.class.getClassLoader())) {
            Object answer = loader.loadClass("OrdersKt")
                    .getMethod("ask", String[].class)
                    .invoke(null, (Object) new String[] {a.url()});
            assertThat(answer).isEqualTo("a");
            assertThat(a.requests.get(0).getTarget()).isEqualTo("/items/7");
        }
    }
}
