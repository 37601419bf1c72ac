package io.fairlead.agent.premain;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM calls: {@code premain} for {@code -javaagent}, {@code agentmain} for an attached agent, {@code main} for
 * {@code java -jar lb-agent.jar}. It opens the isolated loader and hands over; whatever goes wrong here costs one line
 * on standard error, and the application starts as it would without.
 */
public final class FairleadAgent {
    private static final String AGENT = "io.fairlead.agent.Agent";
    private static final String COMMANDS = "io.fairlead.agent.cli.Commands";

    private FairleadAgent() {}

    /**
     * Called by the JVM before the application's main class.
     *
     * @param options the configuration file, or null
     */
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        start(options, instrumentation, false);
    }

    /**
     * Called by the JVM when the agent is attached.
     *
     * @param options the configuration file, or null
     */
    public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
        start(options, instrumentation, true);
    }

    /** The command line: see {@code java -jar lb-agent.jar}. */
    public static void main(String[] args) {
        int status = 1;
        try {
            status = (Integer) new AgentClassLoader(jar())
                    .loadClass(COMMANDS)
                    .getMethod("run", String[].class, File.class)
                    .invoke(null, args, jar());
        } catch (InvocationTargetException e) {
            complain(e.getCause());
        } catch (Throwable e) {
            complain(e);
        }
        System.exit(status);
    }

    private static void start(@Nullable String options, Instrumentation instrumentation, boolean attached) {
        try {
            new AgentClassLoader(jar())
                    .loadClass(AGENT)
                    .getMethod("start", String.class, Instrumentation.class, File.class, boolean.class)
                    .invoke(null, options, instrumentation, jar(), attached);
        } catch (InvocationTargetException e) {
            complain(e.getCause());
        } catch (Throwable e) {
            complain(e);
        }
    }

    private static File jar() throws URISyntaxException {
        CodeSource source = FairleadAgent.class.getProtectionDomain().getCodeSource();
        return new File(source.getLocation().toURI());
    }

    private static void complain(@Nullable Throwable e) {
        String line = "fairlead: the agent is off, and the application goes on without it: " + e;
        try {
            // Not System.err, which may be the application's own by now.
            new PrintStream(new FileOutputStream(FileDescriptor.err), true).println(line);
        } catch (SecurityException forbidden) {
            System.err.println(line);
        }
    }
}
