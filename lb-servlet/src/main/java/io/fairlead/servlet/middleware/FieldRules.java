package io.fairlead.servlet.middleware;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** A name or IPv4 address, or an IPv6 address in brackets (RFC 3986, 3.2.2), and a port. */
    private static final Pattern HOST =
            Pattern.compile("(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(?::([0-9]{1,5}))?");

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
     * The value, if it may stand in a field: no control character but the tab (RFC 9110, 5.5); and in Host, a host and
     * port.
     *
     * @throws IllegalArgumentException it may not
     */
    public static String value(String name, String value) {
        if (!isValue(value)) {
            throw new IllegalArgumentException("the value of the field '" + name + "' holds a control character");
        }
        if (!isValueOf(name, value)) {
            throw new IllegalArgumentException("the value of the field 'Host' is no host, with or without a port");
        }
        return value;
    }

    /** Whether the value means something in a field of this name: Host takes nothing but a host and a port. */
    static boolean isValueOf(String name, String value) {
        if (!name.equalsIgnoreCase("Host")) {
            return true;
        }
        Matcher host = HOST.matcher(value);
        return host.matches() && (host.group(1) == null || Integer.parseInt(host.group(1)) <= 65_535);
    }

    /** Whether the text may stand in a field. */
    public static boolean isValue(String value) {
        return value.chars().noneMatch(c -> (c < ' ' && c != '\t') || c == 0x7F || c > 0xFF);
    }
}
