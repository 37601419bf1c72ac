package io.fairlead.agent;

import java.io.File;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tells a tool of the JDK (keytool, javac, jps, {@code java -version}), to which the agent came by way of
 * {@code JAVA_TOOL_OPTIONS}, from an application.
 */
final class JdkTool {
    private JdkTool() {}

    /**
     * Whether this JVM runs a tool.
     *
     * @param property reads a system property; null where it is not set
     * @param agent the agent's jar: its own command line is a tool too
     */
    static boolean isRunning(UnaryOperator<@Nullable String> property, File agent) {
        String command = property.apply("sun.java.command");
        if (command == null || command.isEmpty()) {
            // Nothing to run, as for -version. A JVM that a program of its own kind has started names no launcher.
            return "SUN_STANDARD".equals(property.apply("sun.java.launcher"));
        }
        int space = command.indexOf(' ');
        String main = space < 0 ? command : command.substring(0, space);
        String module = property.apply("jdk.module.main");
        if (module != null && main.startsWith(module + "/")) {
            return (module.startsWith("jdk.") || module.startsWith("java."))
                    && !main.startsWith("jdk.compiler/com.sun.tools.javac.launcher.");
        }
        String path = property.apply("java.class.path");
        return main.startsWith("sun.")
                || main.startsWith("com.sun.tools.")
                || main.startsWith("com.sun.corba.")
                || main.startsWith("jdk.")
                || (command.startsWith(String.valueOf(path))
                        && new File(String.valueOf(path)).getAbsoluteFile().equals(agent.getAbsoluteFile()));
    }
}
