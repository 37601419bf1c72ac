package io.fairlead.agent;

import io.fairlead.config.ConfigFile;
import java.io.File;
import org.jspecify.annotations.Nullable;

/** Finds and reads the configuration file. */
final class Configuration {
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

    /** Whether there is such a file. */
    static boolean isReadable(String path) {
        File file = new File(path);
        return file.isFile() && file.canRead();
    }

    /**
     * Reads a file. What is wrong with it is told by {@link ConfigFile#problems()}.
     *
     * <p>Through {@code java.io}, now and while it is watched: the application may have put a file system provider of its
     * own in the default one's place, which must not be loaded before the application is ready for it.
     */
    static ConfigFile read(String path) {
        return ConfigFile.read(new File(path));
    }
}
