package io.fairlead.config;

import io.fairlead.Scheduler;
import io.fairlead.ServiceSettings;
import java.io.File;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A configuration file that has been read whole. {@code http.services} and what belongs to it is checked here; routers
 * and middlewares are left to whoever uses them, through {@link #http()}, and what they find wrong joins
 * {@link #problems()}.
 *
 * <p>Safe for use from any thread.
 */
public final class ConfigFile {
    private final String name;
    private final Problems problems;
    private final ConfigNode http;
    private final ServicesReader services;
    private final ForwardedHeadersSpec forwardedHeaders;
    private final @Nullable ConfigSource source;
    private final NamedFiles named;
    private final byte @Nullable [] content;

    private ConfigFile(
            String name,
            @Nullable ConfigSource source,
            byte @Nullable [] content,
            Problems problems,
            @Nullable YamlNode root) {
        this.name = name;
        this.source = source;
        this.content = content;
        this.problems = problems;
        named = new NamedFiles(source);
        ConfigNode top = ConfigNode.root(problems, root);
        http = top.get("http");
        if (root == null) {
            // Why has been told; that every key is missing would only hide it.
            services = ServicesReader.none();
            forwardedHeaders = ForwardedHeadersSpec.NONE;
            return;
        }
        top.allow("http", "admin");
        readAdmin(top.get("admin"));
        if (top.isMapping() && http.require()) {
            http.allow(
                    "routers",
                    "services",
                    "middlewares",
                    "serversTransports",
                    "forwardedHeaders",
                    "forwardProxy",
                    "accessLog");
        }
        if (!http.isMapping()) {
            services = ServicesReader.none();
            forwardedHeaders = ForwardedHeadersSpec.NONE;
            return;
        }
        Map<String, ServiceSettings> transports = TransportsReader.read(http.get("serversTransports"), named);
        services = ServicesReader.read(http.get("services"), transports);
        forwardedHeaders = ForwardedHeadersSpec.read(http.get("forwardedHeaders"));
        http.get("routers").entries();
        http.get("middlewares").entries();
    }

    /**
     * Reads a file: UTF-8, 16 MiB at most. A file that is missing, unreadable or wrong is no exception; it is told by
     * {@link #problems()}.
     *
     * @param file the file; problems name it as it is given here
     */
    public static ConfigFile read(Path file) {
        return read(file.toString(), ConfigSource.of(file));
    }

    /**
     * As {@link #read(Path)}, for whoever must not touch {@code java.nio.file} yet: before an application begins, its
     * default file system may be one of the application's own.
     */
    public static ConfigFile read(File file) {
        return read(file.getPath(), ConfigSource.of(file));
    }

    private static ConfigFile read(String name, ConfigSource source) {
        Problems problems = new Problems(name);
        byte[] bytes = FileText.bytes(source, problems);
        return bytes == null ? new ConfigFile(name, source, null, problems, null) : of(name, source, bytes, problems);
    }

    /**
     * The same file with another content, which has been read already.
     *
     * @param newContent the file's bytes; not changed afterwards
     */
    public ConfigFile withContent(byte[] newContent) {
        return of(name, source, newContent, new Problems(name));
    }

    private static ConfigFile of(String name, @Nullable ConfigSource source, byte[] content, Problems problems) {
        String text = FileText.decode(content, problems);
        YamlNode root = text == null ? null : YamlReader.read(text, problems);
        return new ConfigFile(name, source, content, problems, root);
    }

    /**
     * Reads text that came from elsewhere.
     *
     * @param name what problems call it
     * @param yaml the text
     */
    public static ConfigFile parse(String name, String yaml) {
        Problems problems = new Problems(name);
        if (yaml.length() > FileText.MAX_BYTES) {
            problems.add(1, "", FileText.tooLarge());
            return new ConfigFile(name, null, null, problems, null);
        }
        return new ConfigFile(name, null, null, problems, YamlReader.read(yaml, problems));
    }

    /** The file's path, as it was given. */
    public String name() {
        return name;
    }

    /**
     * Watches the file, and those that it names, for another content than this one; see {@link FileWatch}. A content with
     * problems is told of and then left aside: until the next one, changes of the files that the last content without
     * problems names are told of as that content, read anew.
     *
     * @param intervalNanos how often the file is read
     * @param changed is given each new content, as it was read, on a thread that may block; refuses it by what it adds to
     *     its problems
     * @param unreadable is told, once until it can be read again, why the file cannot be; likewise
     * @return null when there is nothing to watch: the text came from elsewhere, or the file could not be read
     */
    public @Nullable FileWatch watch(
            Scheduler scheduler, long intervalNanos, Consumer<ConfigFile> changed, Consumer<ConfigProblem> unreadable) {
        if (source == null || content == null) {
            return null;
        }
        ConfigFollower follower = new ConfigFollower(this, changed);
        FileWatch started = FileWatch.start(
                source,
                content,
                named,
                scheduler,
                intervalNanos,
                follower::changed,
                why -> unreadable.accept(new ConfigProblem(name, 1, "", why + "; the configuration stays as it was")));
        follower.informs(started);
        return started;
    }

    /** The same content, with what stands in the files that it names by now. */
    ConfigFile readAgain() {
        return content == null ? this : withContent(content);
    }

    /** The files that it names. */
    NamedFiles named() {
        return named;
    }

    /**
     * The path of a file that this one names: relative to the directory that this one was read from, or to the working
     * directory where the text came from elsewhere, unless it is absolute.
     *
     * @throws java.nio.file.InvalidPathException no file can have this name
     */
    public Path pathOf(String named) {
        return source == null ? Paths.get(named) : source.path(named);
    }

    /** The {@code http} mapping; missing when the file has none. */
    public ConfigNode http() {
        return http;
    }

    /** {@code http.forwardedHeaders}; nobody is trusted where the file has none. */
    public ForwardedHeadersSpec forwardedHeaders() {
        return forwardedHeaders;
    }

    /** What is wrong; grows when others read {@link #http()} and find more. */
    public Problems problems() {
        return problems;
    }

    /** What is told of the file although it is not wrong, in the order of the lines: keys that have no effect yet. */
    public List<ConfigProblem> notices() {
        return problems.notices();
    }

    /** The services that could be read, in the order of the file; all of them when there is no problem. */
    public List<ServiceSpec> services() {
        return Collections.unmodifiableList(new ArrayList<>(services.specs()));
    }

    /** Whether the file names this service, compared without case, be it readable or not. */
    public boolean hasService(String service) {
        return services.hasService(service);
    }

    /**
     * Does nothing when there is no problem so far.
     *
     * @throws ConfigException with the problems
     */
    public void throwIfBroken() {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems.list());
        }
    }

    @Override
    public String toString() {
        return "ConfigFile{" + name + "}";
    }

    private static void readAdmin(ConfigNode admin) {
        if (!admin.isMissing()) {
            admin.notice(Notices.NO_EFFECT);
        }
        admin.allow("port", "path", "host");
        admin.get("port").integer(0, 65535, 0);
        admin.get("host").string();
        String path = admin.get("path").string();
        if (path != null && !path.startsWith("/")) {
            admin.get("path").problem("must begin with /");
        }
    }
}
