package io.fairlead.agent.cli;

import io.fairlead.agent.Agent;
import io.fairlead.agent.AttachStatus;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Brings the agent into another JVM, by the JDK's attach API, which a JRE lacks; hence the reflection. */
final class Attachment {
    private static final String MACHINE = "com.sun.tools.attach.VirtualMachine";

    private Attachment() {}

    /**
     * Attaches.
     *
     * @param pid the JVM's process id
     * @return null when the agent runs there, else why not
     */
    static @Nullable String attach(String pid, File configuration, File jar) throws Exception {
        Properties properties = load(pid, configuration.getPath(), jar);
        String status = properties.getProperty(AttachStatus.PROPERTY, "it does not say whether the agent runs");
        return status.equals(AttachStatus.ON) ? null : status;
    }

    /**
     * Asks the agent in another JVM what it does.
     *
     * @return its report; empty: no agent is at work there
     */
    static String report(String pid, File jar) throws Exception {
        return load(pid, Agent.STATUS, jar).getProperty(AttachStatus.REPORT, "");
    }

    private static Properties load(String pid, String option, File jar) throws Exception {
        Class<?> type = machineType();
        Object machine = type.getMethod("attach", String.class).invoke(null, pid);
        try {
            try {
                type.getMethod("loadAgent", String.class, String.class).invoke(machine, jar.getAbsolutePath(), option);
            } catch (InvocationTargetException e) {
                if (!isSuccessOfJava8(e.getCause())) {
                    throw e;
                }
            }
            return (Properties) type.getMethod("getAgentProperties").invoke(machine);
        } finally {
            type.getMethod("detach").invoke(machine);
        }
    }

    /** A JVM of Java 8 says of success {@code 0} only, which the attach API of later ones takes for a failure. */
    private static boolean isSuccessOfJava8(@Nullable Throwable cause) {
        return cause != null
                && cause.getClass().getName().equals("com.sun.tools.attach.AgentLoadException")
                && "0".equals(cause.getMessage());
    }

    /** What went wrong, without the layers of reflection around it. */
    static String reason(Throwable e) {
        Throwable cause = e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
        if (cause instanceof ClassNotFoundException) {
            return "this Java has no attach API; use the java of a JDK";
        }
        String message = cause.getMessage();
        String text = message == null || message.isEmpty() ? cause.toString() : message;
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    private static Class<?> machineType() throws ClassNotFoundException, MalformedURLException {
        try {
            return Class.forName(MACHINE, true, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException e) {
            // Java 8 keeps it in a jar beside the runtime.
            File home = new File(System.getProperty("java.home"));
            URL tools = new File(home.getParentFile(), "lib/tools.jar").toURI().toURL();
            return Class.forName(MACHINE, true, new URLClassLoader(new URL[] {tools}, null));
        }
    }
}
