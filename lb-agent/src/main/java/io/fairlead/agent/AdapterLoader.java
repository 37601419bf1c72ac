package io.fairlead.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Loads one client's adapter so that it sees the client as the application's loader has it, and the agent. Classes of the
 * adapter's package are its own; other ones of the agent come from the agent's loader, also where the application has
 * classes of the same names.
 */
final class AdapterLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String AGENT = "io.fairlead.";
    private final String own;

    /**
     * Opens a loader.
     *
     * @param client the loader that has the client; null: the JDK's own
     * @param adapter the name of the adapter
     */
    AdapterLoader(@Nullable ClassLoader client, String adapter) {
        super(client == null ? ClassLoader.getSystemClassLoader().getParent() : client);
        own = adapter.substring(0, adapter.lastIndexOf('.') + 1);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(AGENT)) {
            return super.loadClass(name, resolve);
        }
        if (!name.startsWith(own)) {
            return agent().loadClass(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = agent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
            byte[] bytes = out.toByteArray();
            return defineClass(name, bytes, 0, bytes.length, AdapterLoader.class.getProtectionDomain());
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static ClassLoader agent() {
        return AdapterLoader.class.getClassLoader();
    }
}
