package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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
    static void compile(String name, File to, String... options) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "a JDK, not a bare runtime");
        List<String> arguments = new ArrayList<>(Arrays.asList(options));
        Collections.addAll(arguments, "-proc:none", "-d", to.getPath());
        for (File source : new File("src/test/applications", name).listFiles()) {
            arguments.add(source.getPath());
        }
        assertThat(compiler.run(null, null, null, arguments.toArray(new String[0])))
                .as("compiling " + name)
                .isZero();
    }
}
