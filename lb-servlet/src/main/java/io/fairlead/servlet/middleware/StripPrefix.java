package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.PathForm;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code stripPrefix: {prefixes: [...]}}: cuts off the first of the prefixes that the path begins with, at the boundary
 * of a segment. What is left begins with a slash, and is sent as it came. Prefixes are compared by the
 * {@linkplain PathForm#normal normal form}; a path of which servers could disagree where the prefix ends, since a slash or
 * a semicolon up to there is escaped ({@code /orders%2fx}), is refused.
 */
final class StripPrefix implements Middleware {
    private final List<String> prefixes;

    private StripPrefix(List<String> prefixes) {
        this.prefixes = prefixes;
    }

    static Middleware read(ConfigNode node) {
        node.allow("prefixes", "forceSlash");
        if (!node.get("forceSlash").bool(true)) {
            node.get("forceSlash").notice("has no effect: what is left of a path always begins with /");
        }
        List<String> prefixes = new ArrayList<>();
        for (ConfigNode item : node.get("prefixes").requiredItems()) {
            String prefix = item.requiredString();
            if (prefix == null) {
                continue;
            }
            if (!prefix.startsWith("/")) {
                item.problem("the prefix '" + prefix + "' does not begin with /");
            }
            String normal = PathForm.normal(prefix);
            String plain = normal.endsWith("/") ? normal.substring(0, normal.length() - 1) : normal;
            if (plain.isEmpty()) {
                // It begins every path, so that those behind it would never be looked at.
                item.notice("cuts nothing off, and is left out");
            } else {
                prefixes.add(plain);
            }
        }
        return new StripPrefix(List.copyOf(prefixes));
    }

    @Override
    public void apply(RoutedRequest request) {
        String normal = PathForm.normal(request.path());
        for (String prefix : prefixes) {
            if (PathForm.startsWith(normal, prefix)) {
                cut(request, prefix);
                return;
            }
        }
    }

    /** Cuts the prefix, which begins the path's normal form, off the path as it came; refuses the path where that is unclear. */
    static void cut(RoutedRequest request, String prefix) {
        String path = request.path();
        int cut = PathForm.cut(path, prefix);
        if (cut == PathForm.UNCLEAR) {
            request.refusePath();
            return;
        }
        String rest = path.substring(cut);
        request.setPath(rest.isEmpty() ? "/" : rest);
        request.addStrippedPrefix(prefix);
    }
}
