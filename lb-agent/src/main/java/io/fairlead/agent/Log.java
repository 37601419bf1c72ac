package io.fairlead.agent;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lines on standard error. The stream is the process' own, since {@code System.err} may by now lead into the
 * application's log; standard output is never touched.
 *
 * <p>Safe for use from any thread.
 */
public final class Log {
    private static final String PREFIX = "fairlead: ";
    private static final String END = System.lineSeparator();
    private static final PrintStream ERR = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
    private static final boolean DEBUG = "debug".equalsIgnoreCase(Options.value("fairlead.log"));
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private Log() {}

    /** One line. */
    public static void line(String text) {
        plain(PREFIX + text);
    }

    /** One line, as it stands, for messages whose form others read. */
    public static void plain(String text) {
        // In one piece: println writes the end of the line by itself, after what others may have written.
        ERR.print(text + END);
    }

    /** One line at the first time; the same text again is not printed. */
    public static void once(String text) {
        if (SAID.add(text)) {
            line(text);
        }
    }

    /** Whether {@code -Dfairlead.log=debug} is set. */
    public static boolean isDebug() {
        return DEBUG;
    }

    /** One line where {@code -Dfairlead.log=debug} is set. */
    public static void debug(String text) {
        if (DEBUG) {
            line("debug: " + text);
        }
    }
}
