package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.Locale;

/**
 * {@code redirectScheme: {scheme: https, port: 443, permanent: false}}: sends clients that use another scheme, or, where
 * a port is given, another port, to the same URL with these.
 */
final class RedirectScheme implements Middleware {
    private final String scheme;
    private final int port;
    private final boolean permanent;

    /** @param port -1: the scheme's own */
    private RedirectScheme(String scheme, int port, boolean permanent) {
        this.scheme = scheme;
        this.port = port;
        this.permanent = permanent;
    }

    static Middleware read(ConfigNode node) {
        node.allow("scheme", "port", "permanent");
        String scheme = node.get("scheme").requiredString();
        if (scheme != null && !scheme.matches("[A-Za-z][A-Za-z0-9+.-]*")) {
            node.get("scheme").problem("'" + scheme + "' is not the scheme of a URL");
        }
        int port = node.get("port").integer(1, 65_535, -1);
        boolean permanent = node.get("permanent").bool(false);
        return new RedirectScheme(scheme == null ? "https" : scheme.toLowerCase(Locale.ROOT), port, permanent);
    }

    @Override
    public void apply(RoutedRequest request) {
        String url = Redirects.url(request);
        if (url == null) {
            return;
        }
        String authority = request.facts().authority();
        int colon = authority.lastIndexOf(':');
        boolean named = colon > authority.lastIndexOf(']');
        String host = named ? authority.substring(0, colon) : authority;
        int used = named ? portOf(authority.substring(colon + 1)) : -1;
        if (request.facts().scheme().equals(scheme) && (port < 0 || port == (used < 0 ? usual(scheme) : used))) {
            return;
        }
        String suffix = port < 0 || port == usual(scheme) ? "" : ":" + port;
        Redirects.answer(request, scheme + "://" + host + suffix + Redirects.target(request.facts()), permanent);
    }

    private static int portOf(String text) {
        return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
    }

    private static int usual(String scheme) {
        return switch (scheme) {
            case "http", "ws" -> 80;
            case "https", "wss" -> 443;
            default -> -1;
        };
    }
}
