package io.fairlead.servlet.routing;

import java.util.Locale;

/** Compares the host that a client named with one of a rule, without case, port and the dot of the root. */
final class HostMatch {
    private HostMatch() {}

    /**
     * The rule for a host: a name, an address, {@code *.example.com} for the names with one label more, or {@code *} for
     * any host and none.
     *
     * @throws IllegalArgumentException it cannot be a host
     */
    static Rule rule(String value) {
        if (value.equals("*")) {
            return (request, path) -> true;
        }
        if (value.chars().anyMatch(c -> c <= ' ' || c >= 0x7F)) {
            throw new IllegalArgumentException("the host '" + value
                    + "' has a character that no host has; names beyond ASCII are written as xn--...");
        }
        String host = plain(value);
        if (host.startsWith("*.")) {
            String domain = host.substring(1);
            return (request, path) -> isLabelBefore(plain(request.host()), domain);
        }
        if (host.indexOf('*') >= 0) {
            throw new IllegalArgumentException(
                    "the host '" + value + "' has a * elsewhere than at its beginning, before a dot");
        }
        return (request, path) -> host.equals(plain(request.host()));
    }

    /** In lower case, without the port and the dot of the root at the end. */
    static String plain(String authority) {
        int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
        String host = end > 0 ? authority.substring(0, end) : authority;
        return (host.endsWith(".") ? host.substring(0, host.length() - 1) : host).toLowerCase(Locale.ROOT);
    }

    private static boolean isLabelBefore(String host, String domain) {
        int label = host.length() - domain.length();
        return label > 0 && host.endsWith(domain) && host.lastIndexOf('.', label - 1) < 0;
    }
}
