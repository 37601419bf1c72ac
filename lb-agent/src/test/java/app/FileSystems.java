package app;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;

/** A default file system of an application's own, which says when it is made; all else is the JDK's. */
public final class FileSystems extends FileSystemProvider {
    private final FileSystemProvider jdk;

    /** Called by the JDK. */
    public FileSystems(FileSystemProvider jdk) {
        this.jdk = jdk;
        System.err.println(
                "the file system is made by " + Thread.currentThread().getName());
    }

    @Override
    public String getScheme() {
        return "file";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
        return jdk.newFileSystem(uri, environment);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return jdk.getFileSystem(uri);
    }

    @Override
    public Path getPath(URI uri) {
        return jdk.getPath(uri);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return jdk.newByteChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        return jdk.newDirectoryStream(path, filter);
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
        jdk.createDirectory(path, attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        jdk.delete(path);
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) throws IOException {
        jdk.copy(from, to, options);
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        jdk.move(from, to, options);
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return jdk.isSameFile(one, other);
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return jdk.isHidden(path);
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return jdk.getFileStore(path);
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        jdk.checkAccess(path, modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return jdk.getFileAttributeView(path, type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return jdk.readAttributes(path, type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return jdk.readAttributes(path, attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        jdk.setAttribute(path, attribute, value, options);
    }
}
