package io.fairlead.servlet;

import io.fairlead.config.ConfigFile;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/** Finds the configuration that an init-param names. */
final class ConfigSource {
    private static final String CLASSPATH = "classpath:";

    private ConfigSource() {}

    /**
     * Reads a configuration.
     *
     * @param place {@code classpath:NAME}; or a path in the web application, which begins with a slash; or a file
     * @throws ServletException there is nothing; what is wrong with what is there is left to the file's problems
     */
    static ConfigFile read(String place, ServletContext context) throws ServletException {
        if (place.startsWith(CLASSPATH)) {
            String name = place.substring(CLASSPATH.length());
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            ConfigFile file = parse(
                    place,
                    (loader == null ? ConfigSource.class.getClassLoader() : loader)
                            .getResourceAsStream(name.startsWith("/") ? name.substring(1) : name));
            if (file == null) {
                throw new ServletException(
                        "the init-param 'config' names " + place + ", which is not on the class path");
            }
            return file;
        }
        if (place.startsWith("/")) {
            String real = context.getRealPath(place);
            if (real != null && Files.isRegularFile(Paths.get(real))) {
                return ConfigFile.read(Paths.get(real));
            }
            ConfigFile file = parse(place, context.getResourceAsStream(place));
            if (file != null) {
                return file;
            }
        }
        Path path = Paths.get(place);
        if (!Files.exists(path)) {
            throw new ServletException(
                    "the init-param 'config' names " + place + ", which is neither in the web application nor a file");
        }
        return ConfigFile.read(path);
    }

    private static @Nullable ConfigFile parse(String name, @Nullable InputStream stream) throws ServletException {
        if (stream == null) {
            return null;
        }
        try (stream) {
            return ConfigFile.parse(name, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ServletException(name + " cannot be read: " + e.getMessage(), e);
        }
    }
}
