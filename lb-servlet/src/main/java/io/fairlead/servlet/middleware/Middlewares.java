package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The middlewares of one configuration, by their names, and the kinds that there are.
 *
 * <p>Immutable.
 */
public final class Middlewares {
    private static final Map<String, Function<ConfigNode, Middleware>> KINDS = kinds();

    private final Map<String, Middleware> byName;
    private final Set<String> names;

    private Middlewares(Map<String, Middleware> byName, Set<String> names) {
        this.byName = byName;
        this.names = names;
    }

    private static Map<String, Function<ConfigNode, Middleware>> kinds() {
        Map<String, Function<ConfigNode, Middleware>> kinds = new LinkedHashMap<>();
        kinds.put("addPrefix", AddPrefix::read);
        kinds.put("stripPrefix", StripPrefix::read);
        return kinds;
    }

    /** Reads {@code http.middlewares}; what is wrong joins the problems of the file. */
    public static Middlewares read(ConfigNode node) {
        Map<String, Middleware> byName = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        for (ConfigNode entry : node.entries()) {
            names.add(entry.key());
            Middleware middleware = middleware(entry);
            if (middleware != null) {
                byName.put(entry.key(), middleware);
            }
        }
        return new Middlewares(byName, names);
    }

    private static @Nullable Middleware middleware(ConfigNode node) {
        node.allow(KINDS.keySet().toArray(new String[0]));
        List<Middleware> found = new ArrayList<>();
        KINDS.forEach((key, reader) -> {
            if (node.has(key)) {
                found.add(reader.apply(node.get(key)));
            }
        });
        if (found.size() > 1) {
            node.problem("has more than one kind of middleware; give each a name of its own");
        } else if (found.isEmpty() && node.entries().isEmpty()) {
            node.problem("names no kind of middleware; known: " + String.join(", ", KINDS.keySet()));
        }
        return found.size() == 1 ? found.get(0) : null;
    }

    /** Whether the configuration has a middleware of this name, be it readable or not. */
    public boolean isNamed(String name) {
        return names.contains(name);
    }

    /** The middleware of this name; null when there is none that could be read. */
    public @Nullable Middleware get(String name) {
        return byName.get(name);
    }
}
