package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.GoPattern;
import io.fairlead.servlet.routing.PathForm;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code stripPrefixRegex: {regex: [...]}}: cuts off what the first of the expressions matches at the beginning of the
 * path, if that ends at the boundary of a segment. Expressions see the readable normal form of the path.
 */
final class StripPrefixRegex implements Middleware {
    private final List<GoPattern> patterns;

    private StripPrefixRegex(List<GoPattern> patterns) {
        this.patterns = patterns;
    }

    static Middleware read(ConfigNode node) {
        node.allow("regex");
        List<GoPattern> patterns = new ArrayList<>();
        for (ConfigNode item : node.get("regex").requiredItems()) {
            GoPattern pattern = RegexExchange.pattern(item);
            if (pattern != null) {
                patterns.add(pattern);
            }
        }
        return new StripPrefixRegex(List.copyOf(patterns));
    }

    @Override
    public void apply(RoutedRequest request) {
        String normal = PathForm.normal(request.path());
        String readable = PathForm.readable(normal);
        for (GoPattern pattern : patterns) {
            int end = pattern.endOfBeginning(readable);
            if (end > 0) {
                // In the normal form again, without a slash at its end.
                String prefix = PathForm.normal(readable.substring(0, end));
                String plain = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
                if (PathForm.startsWith(normal, plain)) {
                    StripPrefix.cut(request, plain);
                    return;
                }
            }
        }
    }
}
