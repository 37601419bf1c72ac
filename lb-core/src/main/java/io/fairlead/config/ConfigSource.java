package io.fairlead.config;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where a configuration is read from, again and again while it is watched. */
interface ConfigSource {
    /** Opens it at its beginning. */
    InputStream open() throws IOException;

    /**
     * Another file that this one names: relative to this one's directory, unless the name is absolute.
     *
     * @throws IOException no file can have this name
     */
    ConfigSource named(String name) throws IOException;

    /**
     * The path of such a file.
     *
     * @throws InvalidPathException no file can have this name
     */
    Path path(String name);

    /** A file of any file system. */
    static ConfigSource of(Path path) {
        return new ConfigSource() {
            @Override
            public InputStream open() throws IOException {
                if (Files.isDirectory(path)) {
                    throw new IOException("is a directory, not a file");
                }
                return Files.newInputStream(path);
            }

            @Override
            public ConfigSource named(String name) throws IOException {
                try {
                    return of(path(name));
                } catch (InvalidPathException e) {
                    throw new NoSuchFileException(name);
                }
            }

            @Override
            public Path path(String name) {
                return path.resolveSibling(name);
            }
        };
    }

    /** A file, without the file systems of {@code java.nio.file}. */
    static ConfigSource of(File file) {
        return new ConfigSource() {
            @Override
            public InputStream open() throws IOException {
                try {
                    return new FileInputStream(file);
                } catch (FileNotFoundException e) {
                    // Says itself only in the words of the system, and not by its type, what the matter is.
                    if (file.isDirectory()) {
                        throw new IOException("is a directory, not a file", e);
                    }
                    throw file.exists()
                            ? new AccessDeniedException(file.getPath())
                            : new NoSuchFileException(file.getPath());
                }
            }

            @Override
            public ConfigSource named(String name) {
                return of(sibling(name));
            }

            @Override
            public Path path(String name) {
                return sibling(name).toPath();
            }

            private File sibling(String name) {
                File other = new File(name);
                return other.isAbsolute() ? other : new File(file.getParentFile(), name);
            }
        };
    }
}
