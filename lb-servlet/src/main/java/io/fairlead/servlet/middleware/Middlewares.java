package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The middlewares of one configuration, by their names, and the kinds that there are. Each router gets one of its own of
 * every name, as in Traefik: what they count is not shared.
 *
 * <p>Not safe for use from several threads at once; what it gives is.
 */
public final class Middlewares {
    private static final Map<String, Kind> KINDS = kinds();
    private static final int MAX_DEPTH = 16;

    private final ConfigFile file;
    private final @Nullable Middlewares before;
    private final HashTurns hashTurns;
    private final Map<String, ConfigNode> nodes = new LinkedHashMap<>();
    /** Those that exist, by router and name. */
    private final Map<Key, Entry> entries = new HashMap<>();
    /** Those that are being read, from the outermost chain to the innermost. */
    private final List<String> reading = new ArrayList<>();

    private record Key(String router, String name) {}

    private record Entry(String configuration, @Nullable Middleware middleware) {}

    /** Reads a middleware of one kind. */
    interface Kind {
        /**
         * Reads it; what is wrong joins the problems of the file.
         *
         * @param node what stands behind the kind's key
         * @param router whose middleware it becomes
         * @param all gives other middlewares and tells which services there are
         */
        @Nullable
        Middleware read(ConfigNode node, String router, Middlewares all);
    }

    private Middlewares(ConfigFile file, @Nullable Middlewares before) {
        this.file = file;
        this.before = before == null ? null : before.withoutBefore();
        this.hashTurns = before == null ? HashTurns.ofThisMachine() : before.hashTurns;
    }

    /** Shared by all that compute hashes of passwords, also with the states of the file before this one. */
    HashTurns hashTurns() {
        return hashTurns;
    }

    /** So that no state of the file holds on to all of those before it. */
    private Middlewares withoutBefore() {
        Middlewares plain = new Middlewares(file, null);
        entries.forEach((key, entry) -> {
            Middleware middleware = entry.middleware();
            if (middleware != null && middleware.keepsState()) {
                plain.entries.put(key, entry);
            }
        });
        return plain;
    }

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("addPrefix", simple(AddPrefix::read));
        kinds.put(
                "basicAuth",
                (node, router, all) -> BasicAuth.read(node, all.file::pathOf, System::nanoTime, all.hashTurns()));
        kinds.put("buffering", simple(Buffering::read));
        kinds.put("chain", Chain::read);
        kinds.put("circuitBreaker", simple(CircuitBreaker::read));
        kinds.put("compress", simple(Compress::read));
        kinds.put("errors", (node, router, all) -> Errors.read(node, all));
        kinds.put("headers", simple(Headers::read));
        kinds.put("inFlightReq", simple(InFlightReq::read));
        kinds.put("ipAllowList", simple(IpAllowList::read));
        kinds.put("rateLimit", simple(RateLimit::read));
        kinds.put("redirectRegex", simple(RedirectRegex::read));
        kinds.put("redirectScheme", simple(RedirectScheme::read));
        kinds.put("replacePath", simple(ReplacePath::read));
        kinds.put("replacePathRegex", simple(ReplacePathRegex::read));
        kinds.put("retry", simple(Retry::read));
        kinds.put("stripPrefix", simple(StripPrefix::read));
        kinds.put("stripPrefixRegex", simple(StripPrefixRegex::read));
        return kinds;
    }

    private static Kind simple(Function<ConfigNode, @Nullable Middleware> reader) {
        return (node, router, all) -> reader.apply(node);
    }

    /**
     * Reads {@code http.middlewares}; what is wrong joins the problems of the file.
     *
     * @param before those of the state of the file before this one, which are kept where they have learnt something and
     *     their configuration is the same; null: none
     */
    public static Middlewares read(ConfigFile file, @Nullable Middlewares before) {
        Middlewares all = new Middlewares(file, before);
        for (ConfigNode node : file.http().get("middlewares").entries()) {
            if (all.nodes.put(lower(node.key()), node) != null) {
                node.problem("stands there twice: names are compared without case");
            }
        }
        // Also those that no router names must be right.
        all.nodes.keySet().forEach(name -> all.get(name, ""));
        return all;
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Whether the configuration has a middleware of this name, compared without case, be it readable or not. */
    public boolean isNamed(String name) {
        return nodes.containsKey(lower(name));
    }

    /** Whether the configuration has a service of this name, compared without case. */
    boolean hasService(String name) {
        return file.hasService(name);
    }

    /**
     * The middleware of this name, compared without case, for a router.
     *
     * @return null when there is none that could be read
     */
    public @Nullable Middleware get(String name, String router) {
        ConfigNode node = nodes.get(lower(name));
        if (node == null) {
            return null;
        }
        Key key = new Key(router, lower(name));
        Entry known = entries.get(key);
        if (known == null) {
            known = entry(key, node);
            entries.put(key, known);
        }
        return known.middleware();
    }

    /**
     * The middleware that a value of the configuration names, for the same router; for kinds that are made of others.
     *
     * @return null, with a problem, when there is none of this name, or when it contains itself; null without another
     *     problem when it could not be read
     */
    @Nullable
    Middleware named(ConfigNode item, String router) {
        String name = item.requiredString();
        if (name == null) {
            return null;
        }
        if (!isNamed(name)) {
            item.problem("there is no middleware '" + name + "'");
            return null;
        }
        if (reading.contains(lower(name))) {
            List<String> circle = new ArrayList<>(reading.subList(reading.indexOf(lower(name)), reading.size()));
            circle.add(lower(name));
            item.problem("the chain '" + name + "' contains itself: " + String.join(" -> ", circle));
            return null;
        }
        if (reading.size() >= MAX_DEPTH) {
            item.problem("chains may contain others " + MAX_DEPTH + " deep at most");
            return null;
        }
        return get(name, router);
    }

    private Entry entry(Key key, ConfigNode node) {
        String configuration = node.canonical();
        Entry old = before == null ? null : before.entries.get(key);
        reading.add(key.name());
        Middleware read = middleware(node, key.router());
        reading.remove(reading.size() - 1);
        return old != null && old.configuration().equals(configuration) ? old : new Entry(configuration, read);
    }

    private @Nullable Middleware middleware(ConfigNode node, String router) {
        node.allow(KINDS.keySet().toArray(new String[0]));
        List<@Nullable Middleware> found = new ArrayList<>();
        KINDS.forEach((key, kind) -> {
            if (node.has(key)) {
                found.add(kind.read(node.get(key), router, this));
            }
        });
        if (found.size() > 1) {
            node.problem("has more than one kind of middleware; give each a name of its own");
        } else if (found.isEmpty() && node.entries().isEmpty()) {
            node.problem("names no kind of middleware; known: " + String.join(", ", KINDS.keySet()));
        }
        return found.size() == 1 ? found.get(0) : null;
    }
}
