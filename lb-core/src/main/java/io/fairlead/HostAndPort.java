package io.fairlead;

/**
 * The host and port of a URL's authority, read by hand because {@link java.net.URI#getHost()} is null for the names with
 * underscores that service names often are.
 */
final class HostAndPort {
    /** Without brackets. */
    final String host;
    /** -1 where none is named. */
    final int port;

    private HostAndPort(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /**
     * Splits an authority without user information.
     *
     * @throws IllegalArgumentException the host is missing or malformed, or the port is not from 1 to 65535
     */
    static HostAndPort parse(String authority) {
        String host;
        String rest;
        if (authority.startsWith("[")) {
            int end = authority.indexOf(']');
            if (end < 0) {
                throw new IllegalArgumentException("'" + authority + "' has a bracket that does not close");
            }
            host = authority.substring(1, end);
            rest = authority.substring(end + 1);
            if (!rest.isEmpty() && rest.charAt(0) != ':') {
                throw new IllegalArgumentException("'" + authority + "' is not host:port");
            }
        } else {
            int colon = authority.indexOf(':');
            host = colon < 0 ? authority : authority.substring(0, colon);
            rest = colon < 0 ? "" : authority.substring(colon);
            for (int i = 0; i < host.length(); i++) {
                char c = host.charAt(i);
                if (!isHostCharacter(c)) {
                    throw new IllegalArgumentException("the host '" + host + "' has the character '" + c + "'");
                }
            }
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException("'" + authority + "' names no host");
        }
        return new HostAndPort(host, rest.length() <= 1 ? -1 : port(rest.substring(1)));
    }

    private static boolean isHostCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '-'
                || c == '_'
                || c >= 128;
    }

    private static int port(String text) {
        if (!text.matches("[0-9]+")) {
            throw new IllegalArgumentException("the port '" + text + "' is not a number");
        }
        int port = text.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(text);
        if (port >= 1 && port <= 65535) {
            return port;
        }
        throw new IllegalArgumentException("the port " + text + " is not from 1 to 65535");
    }
}
