package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Types of content, compared without case and parameters. Immutable. */
final class MediaTypes {
    private final Set<String> types;

    private MediaTypes(Set<String> types) {
        this.types = Set.copyOf(types);
    }

    static MediaTypes read(ConfigNode list) {
        Set<String> types = new HashSet<>();
        for (ConfigNode item : list.items()) {
            String text = item.requiredString();
            if (text == null) {
                continue;
            }
            String type = bare(text);
            if (type.matches("[^\\s/]+/[^\\s/]+")) {
                types.add(type);
            } else {
                item.problem("'" + text + "' is not a type of content such as text/html");
            }
        }
        return new MediaTypes(types);
    }

    /** The type alone, in lower case. */
    static String bare(String text) {
        int semicolon = text.indexOf(';');
        return (semicolon < 0 ? text : text.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
    }

    boolean isEmpty() {
        return types.isEmpty();
    }

    boolean contains(@Nullable String contentType) {
        return contentType != null && types.contains(bare(contentType));
    }
}
