package io.fairlead.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** An application that asks the service {@code orders} by its name and prints the answer. */
public final class OrdersApp {
    /** What it prints when a server named {@code server} answers. */
    static final String OUTPUT = "server GET /items\n";

    private OrdersApp() {}

    /** Asks and prints. */
    public static void main(String[] args) throws IOException {
        try (InputStream answer = new URL("http://orders/items").openStream()) {
            System.out.print(new String(answer.readAllBytes(), StandardCharsets.UTF_8) + "\n");
        }
    }

    /** This class in a jar of its own. */
    static Path jar(Path directory) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, OrdersApp.class.getName());
        String file = OrdersApp.class.getName().replace('.', '/') + ".class";
        Path jar = directory.resolve("app.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                InputStream compiled = OrdersApp.class.getClassLoader().getResourceAsStream(file)) {
            entries.putNextEntry(new JarEntry(file));
            compiled.transferTo(entries);
            entries.closeEntry();
        }
        return jar;
    }
}
