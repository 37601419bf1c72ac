package io.fairlead.servlet.log;

import io.fairlead.config.ConfigNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What becomes of a field. */
enum FieldMode {
    /** It is written. */
    KEEP,
    /** It is left out. */
    DROP,
    /** That it is there is written, and not what. */
    REDACT;

    static final String REDACTED = "REDACTED";

    static @Nullable FieldMode read(ConfigNode node) {
        String text = node.string();
        if (text == null) {
            return null;
        }
        for (FieldMode mode : values()) {
            if (mode.name().equalsIgnoreCase(text)) {
                return mode;
            }
        }
        node.problem("must be keep, drop or redact, not '" + text.toLowerCase(Locale.ROOT) + "'");
        return null;
    }
}
