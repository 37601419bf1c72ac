package io.fairlead.servlet.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A file that is appended to, and opened anew once another stands in its place or none: whoever rotates logs renames it
 * and needs tell nobody. One that is cut short is written on from its beginning. Of one thread.
 */
final class LogFile implements AutoCloseable {
    private final @Nullable Path path;
    private @Nullable OutputStream out;
    private @Nullable Object key;

    /** @param path null: standard output */
    LogFile(@Nullable Path path) {
        this.path = path;
    }

    /** Looks whether the file is still the one that is written to. */
    void look() throws IOException {
        if (path != null && out != null && key != null && !key.equals(key(path))) {
            close();
        }
    }

    private static @Nullable Object key(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    void write(byte[] bytes) throws IOException {
        OutputStream to = out;
        if (to == null) {
            to = open();
            out = to;
        }
        to.write(bytes);
        to.flush();
    }

    private OutputStream open() throws IOException {
        if (path == null) {
            return System.out;
        }
        Path directory = path.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        OutputStream opened = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        key = key(path);
        return opened;
    }

    @Override
    public void close() throws IOException {
        OutputStream open = out;
        out = null;
        key = null;
        if (open != null && path != null) {
            open.close();
        }
    }
}
