package io.fairlead.servlet.forward;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the list of hosts: a name, an address, or {@code *.} and a domain, and perhaps a port.
 *
 * @param host the name in lower case, an IPv6 address without brackets; of a wildcard the domain with its leading dot
 * @param wildcard whether it means every name below the domain, and not the domain itself
 * @param port the port; 0: 80 and 443
 */
record HostRule(String host, boolean wildcard, int port) {
    private static final int MAX_PORT = 65535;

    /** Reads an entry; null when it is none. */
    static @Nullable HostRule parse(String text) {
        String host = text;
        int port = 0;
        int colon = text.lastIndexOf(':');
        if (colon >= 0 && text.indexOf(']') < colon) {
            String digits = text.substring(colon + 1);
            if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > MAX_PORT || Integer.parseInt(digits) == 0) {
                return null;
            }
            host = text.substring(0, colon);
            port = Integer.parseInt(digits);
        }
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
            return host.matches("[0-9A-Fa-f:.]+") ? new HostRule(host.toLowerCase(Locale.ROOT), false, port) : null;
        }
        boolean wildcard = host.startsWith("*.");
        String name = wildcard ? host.substring(2) : host;
        if (!name.matches("[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*")) {
            return null;
        }
        return new HostRule((wildcard ? "." : "") + name.toLowerCase(Locale.ROOT), wildcard, port);
    }

    boolean matches(String asked, int askedPort) {
        boolean samePort = port == 0 ? askedPort == 80 || askedPort == 443 : askedPort == port;
        return samePort && (wildcard ? asked.length() > host.length() && asked.endsWith(host) : asked.equals(host));
    }
}
