package io.fairlead.servlet.middleware;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which fields may be set by whoever changes a message on its way, and to what. */
public final class FieldRules {
    private static final Set<String> OF_THE_CONNECTION = Set.of(
            "connection",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "content-length",
            "upgrade",
            "http2-settings",
            "proxy-connection",
            "expect");

    private FieldRules() {}

    /**
     * The name, if a field of that name may be set: a token (RFC 9110, 5.6.2) that means neither the connection nor the
     * framing.
     *
     * @throws IllegalArgumentException it may not
     */
    public static String name(String name) {
        String wrong = wrongName(name);
        if (wrong != null) {
            throw new IllegalArgumentException(wrong);
        }
        return name;
    }

    /** What is wrong with the name of a field that is to be set; null: nothing. */
    public static @Nullable String wrongName(String name) {
        if (name.isEmpty() || !name.chars().allMatch(FieldRules::isTokenChar)) {
            return "'" + name.replaceAll("\\p{Cntrl}", "?") + "' is not the name of a field";
        }
        return OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))
                ? "the field '" + name + "' belongs to the connection and cannot be set"
                : null;
    }

    private static boolean isTokenChar(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    /**
     * The value, if it may stand in a field: no control character but the tab (RFC 9110, 5.5).
     *
     * @throws IllegalArgumentException it may not
     */
    public static String value(String name, String value) {
        if (!isValue(value)) {
            throw new IllegalArgumentException("the value of the field '" + name + "' holds a control character");
        }
        return value;
    }

    /** Whether the text may stand in a field. */
    public static boolean isValue(String value) {
        return value.chars().noneMatch(c -> (c < ' ' && c != '\t') || c == 0x7F || c > 0xFF);
    }
}
