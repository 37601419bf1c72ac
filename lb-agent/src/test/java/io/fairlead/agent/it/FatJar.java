package io.fairlead.agent.it;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;

/** Packs an application as Spring Boot's build plugins do: its jars as they are, in a jar that Boot's loader starts. */
final class FatJar implements AutoCloseable {
    private final JarOutputStream out;

    /**
     * Begins with Boot's loader.
     *
     * @param launcher the loader's main class
     * @param main the application's
     */
    FatJar(File file, File loader, String launcher, String main) throws IOException {
        out = new JarOutputStream(Files.newOutputStream(file.toPath()));
        String manifest = "Manifest-Version: 1.0\r\nMain-Class: " + launcher + "\r\nStart-Class: " + main
                + "\r\nSpring-Boot-Classes: BOOT-INF/classes/\r\nSpring-Boot-Lib: BOOT-INF/lib/\r\n\r\n";
        stored("META-INF/MANIFEST.MF", manifest.getBytes(StandardCharsets.UTF_8));
        try (JarFile jar = new JarFile(loader)) {
            for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                if (entry.getName().startsWith("org/") || entry.getName().startsWith("META-INF/services/")) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        stored(entry.getName(), bytes(in));
                    }
                }
            }
        }
        stored("BOOT-INF/", new byte[0]);
        stored("BOOT-INF/classes/", new byte[0]);
        stored("BOOT-INF/lib/", new byte[0]);
    }

    /** Adds a folder of classes. */
    void classes(File folder, String packageName) throws IOException {
        String path = "BOOT-INF/classes/" + packageName.replace('.', '/') + '/';
        stored(path, new byte[0]);
        for (File file : new File(folder, packageName.replace('.', '/')).listFiles()) {
            if (file.isFile()) {
                stored(path + file.getName(), Files.readAllBytes(file.toPath()));
            }
        }
    }

    /** Adds a jar. */
    void library(File jar) throws IOException {
        stored("BOOT-INF/lib/" + jar.getName(), Files.readAllBytes(jar.toPath()));
    }

    private void stored(String name, byte[] bytes) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCompressedSize(bytes.length);
        entry.setCrc(crc.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }

    private static byte[] bytes(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            bytes.write(buffer, 0, n);
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
