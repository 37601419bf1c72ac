package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.PathForm;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code stripPrefix: {prefixes: [...]}}: cuts off the first of the prefixes that the path begins with, at the boundary
 * of a segment. What is left begins with a slash.
 */
final class StripPrefix implements Middleware {
    private final List<String> prefixes;

    private StripPrefix(List<String> prefixes) {
        this.prefixes = prefixes;
    }

    static Middleware read(ConfigNode node) {
        node.allow("prefixes", "forceSlash");
        node.get("forceSlash").bool(true);
        List<String> prefixes = new ArrayList<>();
        ConfigNode list = node.get("prefixes");
        list.require();
        for (ConfigNode item : list.items()) {
            String prefix = item.requiredString();
            if (prefix == null) {
                continue;
            }
            if (!prefix.startsWith("/")) {
                item.problem("the prefix '" + prefix + "' does not begin with /");
            }
            String normal = PathForm.normal(prefix);
            prefixes.add(normal.endsWith("/") ? normal.substring(0, normal.length() - 1) : normal);
        }
        return new StripPrefix(List.copyOf(prefixes));
    }

    @Override
    public void apply(RoutedRequest request) {
        String path = request.path();
        String normal = PathForm.normal(path);
        for (String prefix : prefixes) {
            if (PathForm.startsWith(normal, prefix)) {
                String rest = path.substring(PathForm.rawLength(path, prefix.length()));
                request.setPath(rest.isEmpty() ? "/" : rest);
                request.addStrippedPrefix(prefix);
                return;
            }
        }
    }
}
