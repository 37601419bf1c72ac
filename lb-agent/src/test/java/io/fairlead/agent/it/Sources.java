package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles the sources of {@code src/test/applications}, which this module's own build cannot: modules, servlets. */
final class Sources {
    private Sources() {}

    /**
     * Compiles a folder.
     *
     * @param name the folder's name
     * @param to where the classes go
     * @param options of the compiler
     */
    static void compile(String name, File to, String... options) throws IOException {
        compile(name, UnaryOperator.identity(), to, options);
    }

    /** The same with sources that are edited before. */
    static void compile(String name, UnaryOperator<String> edit, File to, String... options) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "a JDK, not a bare runtime");
        List<String> arguments = new ArrayList<>(Arrays.asList(options));
        Collections.addAll(arguments, "-proc:none", "-d", to.getPath());
        Path edited = Files.createDirectories(to.toPath().resolveSibling("sources"));
        for (File source : new File("src/test/applications", name).listFiles()) {
            String text = new String(Files.readAllBytes(source.toPath()), StandardCharsets.UTF_8);
            Path copy = edited.resolve(source.getName());
            Files.write(copy, edit.apply(text).getBytes(StandardCharsets.UTF_8));
            arguments.add(copy.toString());
        }
        assertThat(compiler.run(null, null, null, arguments.toArray(new String[0])))
                .as("compiling " + name)
                .isZero();
    }
}
