package io.fairlead.servlet;

import io.fairlead.AnswerRewrite;
import io.fairlead.Endpoint;
import io.fairlead.Pick;
import io.fairlead.servlet.routing.PathForm;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * Translates what one answer says of the server's own URLs into those that the client uses: Location, Content-Location,
 * Refresh, and the scope of cookies. What is not the server's own goes through as it is.
 *
 * <p>Belongs to one answer.
 */
final class Rewriting {
    private static final String DOMAIN = "domain";
    private static final String PATH = "path";

    private final AnswerRewrite rewrite;
    private final Endpoint server;
    private final PathChanges changes;
    private final String scheme;
    private final String authority;
    private final String contextPath;
    private final boolean passHost;

    private Rewriting(Pick pick, ServletFacts facts, PathChanges changes) {
        this.rewrite = pick.settings().rewrite();
        this.server = pick.endpoint();
        this.changes = changes;
        this.scheme = facts.scheme();
        this.authority = facts.authority();
        this.contextPath = facts.contextPath();
        this.passHost = pick.settings().passHostHeader();
    }

    /** For the answer to a pick; null where nothing is to be translated. */
    static @Nullable Rewriting of(Pick pick, ServletFacts facts, PathChanges changes) {
        return pick.settings().rewrite().isActive() ? new Rewriting(pick, facts, changes) : null;
    }

    /** The value that a field has for the client. */
    String value(String name, @Nullable HttpHeader known, String value) {
        if (known == HttpHeader.SET_COOKIE) {
            return rewrite.rewritesCookies() ? cookie(value) : value;
        }
        if (!rewrite.location()) {
            return value;
        }
        if (known == HttpHeader.LOCATION || name.equalsIgnoreCase("Content-Location")) {
            return location(value);
        }
        return name.equalsIgnoreCase("Refresh") ? refresh(value) : value;
    }

    // Locations.

    private String location(String value) {
        boolean absolute = false;
        int path = 0;
        String said = scheme;
        if (!value.startsWith("/") || value.startsWith("//")) {
            int slashes = value.indexOf("//");
            if (slashes < 0 || (slashes > 0 && !isHttp(value.substring(0, slashes)))) {
                return value;
            }
            said = slashes == 0
                    ? server.scheme()
                    : value.substring(0, slashes - 1).toLowerCase(Locale.ROOT);
            path = endOfAuthority(value, slashes + 2);
            if (!isOwn(said, value.substring(slashes + 2, path))) {
                return value;
            }
            absolute = true;
        }
        int end = endOfPath(value, path);
        String told = end == path ? "/" : value.substring(path, end);
        String undone = PathForm.climbs(told) ? null : changes.undo(server.path(), told);
        if (undone == null || !(undone.isEmpty() || undone.startsWith("/"))) {
            return value;
        }
        String own = contextPath + (undone.isEmpty() ? "/" : undone) + value.substring(end);
        // What looks like an authority after the prefix is gone must not become one.
        boolean ambiguous = own.length() > 1 && (own.charAt(1) == '/' || own.charAt(1) == '\\');
        if (!absolute && !ambiguous) {
            return own;
        }
        return authority.isEmpty() ? value : scheme + "://" + authority + own;
    }

    private static boolean isHttp(String schemeAndColon) {
        return schemeAndColon.equalsIgnoreCase("http:") || schemeAndColon.equalsIgnoreCase("https:");
    }

    private static int endOfAuthority(String url, int start) {
        for (int i = start; i < url.length(); i++) {
            char c = url.charAt(i);
            if (c == '/' || c == '?' || c == '#' || c == '\\') {
                return i;
            }
        }
        return url.length();
    }

    private static int endOfPath(String url, int start) {
        for (int i = start; i < url.length(); i++) {
            if (url.charAt(i) == '?' || url.charAt(i) == '#') {
                return i;
            }
        }
        return url.length();
    }

    /**
     * Whether the server means itself: by its own name and scheme, by the name that it was asked for and its own scheme,
     * or by both as the client has them. The client's name with another scheme is a redirect to there.
     */
    private boolean isOwn(String said, String told) {
        int usual = said.equals("https") ? 443 : 80;
        String plain = withPort(told, usual);
        if (said.equals(server.scheme()) && plain.equals(withPort(server.authority(), usual))) {
            return true;
        }
        boolean asked = !authority.isEmpty() && plain.equals(withPort(authority, usual));
        return asked && ((passHost && said.equals(server.scheme())) || said.equals(scheme));
    }

    private static String withPort(String authority, int usual) {
        String lower = authority.toLowerCase(Locale.ROOT);
        boolean named = lower.lastIndexOf(':') > lower.lastIndexOf(']');
        return named && !lower.endsWith(":") ? lower : (named ? lower : lower + ":") + usual;
    }

    /** {@code 5; url=http://...}: a time, and where to go then. */
    private String refresh(String value) {
        int url = value.toLowerCase(Locale.ROOT).indexOf("url=");
        if (url < 0) {
            return value;
        }
        int start = url + "url=".length();
        String target = value.substring(start).strip();
        boolean quoted = target.length() >= 2
                && (target.startsWith("\"") || target.startsWith("'"))
                && target.charAt(0) == target.charAt(target.length() - 1);
        if (!quoted) {
            return value.substring(0, start) + location(target);
        }
        String quote = target.substring(0, 1);
        return value.substring(0, start) + quote + location(target.substring(1, target.length() - 1)) + quote;
    }

    // Cookies.

    private String cookie(String value) {
        if (value.regionMatches(true, 0, "__Host-", 0, 7)) {
            // Browsers take it only without a domain and for all paths.
            return value;
        }
        StringBuilder rewritten = new StringBuilder(value.length());
        boolean first = true;
        for (String attribute : List.of(value.split(";", -1))) {
            String kept = first ? attribute : attribute(attribute);
            if (kept != null) {
                rewritten.append(first ? "" : ";").append(kept);
            }
            first = false;
        }
        return rewritten.toString();
    }

    /** An attribute of a cookie as the client gets it; null: not at all. */
    private @Nullable String attribute(String attribute) {
        int equals = attribute.indexOf('=');
        if (equals < 0) {
            return attribute;
        }
        String name = attribute.substring(0, equals).strip().toLowerCase(Locale.ROOT);
        String told = attribute.substring(equals + 1).strip();
        String own = switch (name) {
            case DOMAIN -> domain(told);
            case PATH -> path(told);
            default -> told;
        };
        if (own.equals(told)) {
            return attribute;
        }
        return own.isEmpty() ? null : attribute.substring(0, equals + 1) + own;
    }

    private String domain(String told) {
        String wanted = rewrite.domainFor(told);
        if (wanted != null) {
            return wanted;
        }
        // The client refuses a cookie for the server's name, unless that is the one that it used.
        return rewrite.cookies() && covers(told, server.host()) && !covers(told, hostOf(authority)) ? "" : told;
    }

    private static boolean covers(String domain, String host) {
        String plain = (domain.startsWith(".") ? domain.substring(1) : domain).toLowerCase(Locale.ROOT);
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals(plain) || name.endsWith("." + plain);
    }

    private static String hostOf(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }

    private String path(String told) {
        String wanted = rewrite.pathFor(told);
        if (wanted != null) {
            return wanted;
        }
        if (!rewrite.cookies() || !told.startsWith("/")) {
            return told;
        }
        String undone = changes.undoScope(server.path(), told);
        if (undone == null) {
            return told;
        }
        String own = contextPath + undone;
        return own.isEmpty() ? "/" : own;
    }
}
