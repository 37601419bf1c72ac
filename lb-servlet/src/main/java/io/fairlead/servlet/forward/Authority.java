package io.fairlead.servlet.forward;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The host and port that a client names.
 *
 * @param host in lower case, an IPv6 address without brackets
 * @param port the port
 */
public record Authority(String host, int port) {
    /**
     * Reads {@code host} or {@code host:port}.
     *
     * @param defaultPort where the text names none; 0: it must
     * @return null when the text is none
     */
    public static @Nullable Authority parse(String text, int defaultPort) {
        int end = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
        String host = end > 0 ? text.substring(0, end) : text.indexOf(':') == 0 ? "" : text;
        String rest = text.substring(host.length());
        int port = defaultPort;
        if (rest.matches(":[0-9]{1,5}")) {
            port = Integer.parseInt(rest.substring(1));
        } else if (!rest.isEmpty()) {
            return null;
        }
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        boolean good = host.startsWith("[") ? bare.matches("[0-9A-Fa-f:.]+") : bare.matches("[A-Za-z0-9._-]+");
        // A dot at the end of a name means the same name.
        String name = bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
        return good && !name.isEmpty() && port > 0 && port <= 65535
                ? new Authority(name.toLowerCase(Locale.ROOT), port)
                : null;
    }

    /** {@code host:port} as it stands in a URL. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
