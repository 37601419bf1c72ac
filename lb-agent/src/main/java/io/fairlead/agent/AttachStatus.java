package io.fairlead.agent;

import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * How an attached agent tells the JVM that attached it whether it runs: by the JVM's agent properties, which the attach
 * protocol reads and the application does not see.
 */
public final class AttachStatus {
    /** The property's name. */
    public static final String PROPERTY = "fairlead.attach";
    /** Its value when the agent runs; any other is the reason why not. */
    public static final String ON = "on";

    /** The property of the report; empty: no agent is at work. */
    public static final String REPORT = "fairlead.report";

    private AttachStatus() {}

    static void report(@Nullable String failure, Modules modules) {
        try {
            properties(modules).setProperty(PROPERTY, failure == null ? ON : failure);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // The one who attached says then that it does not know; this side has said its line.
            Log.debug("the result of attaching cannot be told: " + e);
        }
    }

    /** Hands the report of the agent that is at work over to who has asked; null: there is none. */
    static void tell(@Nullable String text, Modules modules) {
        try {
            properties(modules).setProperty(REPORT, text == null ? "" : text);
        } catch (ReflectiveOperationException | RuntimeException e) {
            Log.debug("the report cannot be told: " + e);
        }
    }

    private static Properties properties(Modules modules) throws ReflectiveOperationException {
        Class<?> support;
        try {
            support = Class.forName("jdk.internal.vm.VMSupport", true, null);
            modules.exportBase("jdk.internal.vm", AttachStatus.class);
        } catch (ClassNotFoundException e) {
            support = Class.forName("sun.misc.VMSupport", true, null);
        }
        return (Properties) support.getMethod("getAgentProperties").invoke(null);
    }
}
