package io.fairlead.agent;

import io.fairlead.config.ConfigFile;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/** Finds and reads the configuration file. */
final class Configuration {
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private Configuration() {}

    /**
     * The file's path: the agent's option, else the property {@code fairlead.config}, else the environment's
     * {@code FAIRLEAD_CONFIG}; null: none of them is set.
     */
    static @Nullable String path(@Nullable String option) {
        if (option != null && !option.isEmpty()) {
            return option;
        }
        String property = System.getProperty("fairlead.config");
        if (property != null && !property.isEmpty()) {
            return property;
        }
        String environment = System.getenv("FAIRLEAD_CONFIG");
        return environment == null || environment.isEmpty() ? null : environment;
    }

    /**
     * Reads a file. What is wrong with it is told by {@link ConfigFile#problems()}.
     *
     * <p>Through {@code java.io}: the application may have put a file system provider of its own in the default one's
     * place, which must not be loaded before the application is ready for it.
     */
    static ConfigFile read(String path) {
        try (InputStream in = new FileInputStream(path)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] buffer = new byte[16 * 1024];
            for (int n = in.read(buffer); n >= 0 && bytes.size() <= MAX_BYTES; n = in.read(buffer)) {
                bytes.write(buffer, 0, n);
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
            return ConfigFile.parse(path, text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            return ConfigFile.read(Paths.get(path));
        } catch (IOException e) {
            // Missing, a folder, not permitted: the core says it in its own words.
            return ConfigFile.read(Paths.get(path));
        }
    }
}
