package io.fairlead.agent;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Puts the classes that woven code calls into the bootstrap loader.
 *
 * <p>They are defined there one by one. To append a jar to the bootstrap loader's search path would be the documented
 * way, but then the JVM (since 13) drops the application's shared classes and prints a warning about it.
 */
final class BootstrapClasses {
    private static final String PACKAGE = "io.fairlead.agent.bootstrap.";
    /** A class after those that it extends or implements. */
    static final List<String> NAMES = Collections.unmodifiableList(Arrays.asList(
            "Faults",
            "Route",
            "Refusal",
            "UrlConnections",
            "Crossing",
            "Skip",
            "Hook",
            "Hooks$Found",
            "Hooks",
            "Report"));

    private BootstrapClasses() {}

    /** Whether an agent has put them there before. */
    static boolean arePresent() {
        try {
            Class.forName(PACKAGE + "Faults", false, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Defines them from the folder {@code boot/} of the agent's jar. */
    static void define(File agent, Modules modules) throws IOException, ReflectiveOperationException {
        try (JarFile jar = new JarFile(agent, false)) {
            for (String name : NAMES) {
                byte[] bytes = bytes(jar, "boot/" + PACKAGE.replace('.', '/') + name + ".classdata");
                define(PACKAGE + name, bytes, modules);
            }
        }
    }

    private static byte[] bytes(JarFile jar, String name) throws IOException {
        ZipEntry entry = jar.getEntry(name);
        if (entry == null) {
            throw new IOException(name + " is missing in " + jar.getName());
        }
        byte[] bytes = new byte[(int) entry.getSize()];
        try (InputStream in = jar.getInputStream(entry)) {
            new DataInputStream(in).readFully(bytes);
        }
        return bytes;
    }

    private static void define(String name, byte[] bytes, Modules modules) throws ReflectiveOperationException {
        Object unsafe = unsafe(modules);
        Method define = unsafe.getClass()
                .getMethod(
                        "defineClass",
                        String.class,
                        byte[].class,
                        int.class,
                        int.class,
                        ClassLoader.class,
                        ProtectionDomain.class);
        try {
            define.invoke(unsafe, name, bytes, 0, bytes.length, null, null);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(name + " cannot be defined: " + e.getCause(), e);
        }
    }

    private static Object unsafe(Modules modules) throws ReflectiveOperationException {
        try {
            Class<?> internal = Class.forName("jdk.internal.misc.Unsafe", false, null);
            modules.exportBase("jdk.internal.misc", BootstrapClasses.class);
            return internal.getMethod("getUnsafe").invoke(null);
        } catch (ClassNotFoundException e) {
            // Java 8, whose own one is called otherwise and gives itself to nobody.
            Field field = Class.forName("sun.misc.Unsafe", false, null).getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return field.get(null);
        }
    }
}
