package io.fairlead.agent.premain;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.security.AllPermission;
import java.security.CodeSource;
import java.security.PermissionCollection;
import java.security.Permissions;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Loads the agent and all that it brings along from the folder {@code inst/} of its jar, where class files are named
 * {@code .classdata}, so that no other loader takes them for classes. Its own come first: a Byte Buddy or SLF4J that the
 * application, another agent or the JDK's extension folder has put further up is never used in their place.
 *
 * <p>The parent is the platform's loader (Java 8: the extension loader), so that the JDK is visible and the application
 * is not.
 */
public final class AgentClassLoader extends ClassLoader {
    private static final String ROOT = "inst/";
    private static final String VERSIONS = ROOT + "META-INF/versions/";
    private static final int FIRST_VERSIONED = 9;

    static {
        registerAsParallelCapable();
    }

    private final JarFile jar;
    private final ProtectionDomain domain;
    /** Where a name is looked up, the folders of newer Java versions first. */
    private final List<String> folders;

    /**
     * Opens a loader.
     *
     * @param file the agent's jar
     * @throws IOException the jar cannot be read
     */
    public AgentClassLoader(File file) throws IOException {
        this(file, feature(System.getProperty("java.specification.version")));
    }

    AgentClassLoader(File file, int feature) throws IOException {
        super(ClassLoader.getSystemClassLoader().getParent());
        jar = new JarFile(file, false);
        PermissionCollection all = new Permissions();
        all.add(new AllPermission());
        domain = new ProtectionDomain(new CodeSource(file.toURI().toURL(), (Certificate[]) null), all);
        folders = folders(feature);
    }

    private List<String> folders(int feature) {
        List<String> found = new ArrayList<>();
        for (int version = feature; version >= FIRST_VERSIONED; version--) {
            String folder = VERSIONS + version + '/';
            if (jar.getEntry(folder) != null) {
                found.add(folder);
            }
        }
        found.add(ROOT);
        return Collections.unmodifiableList(found);
    }

    /** 8 for 1.8, and the number itself from 9 on. */
    static int feature(String specification) {
        return Integer.parseInt(specification.startsWith("1.") ? specification.substring(2) : specification);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = bytes(name.replace('.', '/') + ".classdata");
                loaded = bytes == null
                        ? super.loadClass(name, false)
                        : defineClass(name, bytes, 0, bytes.length, domain);
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    /** A file of the jar's isolated folder; class files by their usual names. Null: there is none. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        try {
            byte[] bytes = bytes(name.endsWith(".class") ? name + "data" : name);
            return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private byte @Nullable [] bytes(String name) throws ClassNotFoundException {
        for (String folder : folders) {
            ZipEntry entry = jar.getEntry(folder + name);
            if (entry != null) {
                try (InputStream in = jar.getInputStream(entry)) {
                    ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(32, (int) entry.getSize()));
                    byte[] buffer = new byte[8192];
                    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                        out.write(buffer, 0, n);
                    }
                    return out.toByteArray();
                } catch (IOException e) {
                    throw new ClassNotFoundException(name + " cannot be read from " + jar.getName(), e);
                }
            }
        }
        return null;
    }
}
