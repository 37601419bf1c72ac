package io.fairlead.config;

import io.fairlead.Scheduler;
import io.fairlead.ServiceSettings;
import java.nio.file.Path;
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
    private final @Nullable Path path;
    private final byte @Nullable [] content;

    private ConfigFile(
            String name, @Nullable Path path, byte @Nullable [] content, Problems problems, @Nullable YamlNode root) {
        this.name = name;
        this.path = path;
        this.content = content;
        this.problems = problems;
        ConfigNode top = ConfigNode.root(problems, root);
        http = top.get("http");
        if (root == null) {
            // Why has been told; that every key is missing would only hide it.
            services = ServicesReader.none();
            return;
        }
        top.allow("http", "admin");
        readAdmin(top.get("admin"));
        if (top.isMapping() && http.require()) {
            http.allow("routers", "services", "middlewares", "serversTransports", "forwardedHeaders");
        }
        if (!http.isMapping()) {
            services = ServicesReader.none();
            return;
        }
        Map<String, ServiceSettings> transports = TransportsReader.read(http.get("serversTransports"));
        services = ServicesReader.read(http.get("services"), transports);
        readForwardedHeaders(http.get("forwardedHeaders"));
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
        Problems problems = new Problems(file.toString());
        byte[] bytes = FileText.bytes(file, problems);
        return bytes == null ? new ConfigFile(file.toString(), file, null, problems, null) : of(file, bytes, problems);
    }

    /**
     * As {@link #read(Path)}, where the content has been read already.
     *
     * @param content the file's bytes; not changed afterwards
     */
    public static ConfigFile read(Path file, byte[] content) {
        return of(file, content, new Problems(file.toString()));
    }

    private static ConfigFile of(Path file, byte[] content, Problems problems) {
        String text = FileText.decode(content, problems);
        YamlNode root = text == null ? null : YamlReader.read(text, problems);
        return new ConfigFile(file.toString(), file, content, problems, root);
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

    /** Where it was read from; null when it was text from elsewhere. */
    public @Nullable Path path() {
        return path;
    }

    /**
     * Watches the file for another content than this one; see {@link FileWatch}.
     *
     * @param intervalNanos how often the file is read
     * @param changed is given each new content, for {@link #read(Path, byte[])}, on a thread that may block
     * @return null when there is nothing to watch: the text came from elsewhere, or the file could not be read
     */
    public @Nullable FileWatch watch(Scheduler scheduler, long intervalNanos, Consumer<byte[]> changed) {
        return path == null || content == null
                ? null
                : FileWatch.start(path, content, scheduler, intervalNanos, changed);
    }

    /** The {@code http} mapping; missing when the file has none. */
    public ConfigNode http() {
        return http;
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

    private static void readForwardedHeaders(ConfigNode forwarded) {
        forwarded.allow("trustedIPs");
        for (ConfigNode item : forwarded.get("trustedIPs").items()) {
            String range = item.requiredString();
            if (range != null && !AddressRanges.isRange(range)) {
                item.problem(Quote.of(range) + " is not an IP address, nor a range such as 10.0.0.0/8");
            }
        }
    }
}
