package io.fairlead.servlet.log;

import io.fairlead.config.ConfigNode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which fields are written: a mode for all, and others for some by name.
 *
 * @param defaultMode of those that have none of their own
 * @param byName by the name in lower case
 */
record FieldModes(FieldMode defaultMode, Map<String, FieldMode> byName) {
    FieldModes {
        byName = Map.copyOf(byName);
    }

    static FieldModes read(ConfigNode node, FieldMode orElse) {
        FieldMode defaultMode = FieldMode.read(node.get("defaultMode"));
        Map<String, FieldMode> byName = new TreeMap<>();
        for (ConfigNode entry : node.get("names").entries()) {
            FieldMode mode = FieldMode.read(entry);
            if (mode != null) {
                byName.put(entry.key().toLowerCase(Locale.ROOT), mode);
            }
        }
        return new FieldModes(defaultMode == null ? orElse : defaultMode, byName);
    }

    FieldMode of(String name) {
        return byName.getOrDefault(name.toLowerCase(Locale.ROOT), defaultMode);
    }
}
