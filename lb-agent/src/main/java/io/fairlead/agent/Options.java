package io.fairlead.agent;

/** The agent's options that are properties of the JVM. */
public final class Options {
    private Options() {}

    /**
     * The value of a property; empty where it is not set, or where a security manager hides it.
     *
     * @param name begins with {@code fairlead.}
     */
    public static String value(String name) {
        try {
            return System.getProperty(name, "");
        } catch (SecurityException e) {
            return "";
        }
    }
}
