package io.fairlead.servlet;

import io.fairlead.Endpoint;
import io.fairlead.servlet.routing.PathForm;
import org.jspecify.annotations.Nullable;

/** Where a request goes on its server: the server's base path and query, joined with the request's. */
final class UpstreamTarget {
    /** What decoders put in the place of bytes that are no UTF-8. */
    private static final char UNKNOWN = '\uFFFD';

    private UpstreamTarget() {}

    /** The base path, which ends without a slash, and the request's, which begins with one. */
    static String path(Endpoint endpoint, String path) {
        return path.equals("*") ? path : endpoint.path() + escaped(path);
    }

    static @Nullable String query(Endpoint endpoint, @Nullable String query) {
        String own = endpoint.uri().getRawQuery();
        if (own == null || own.isEmpty()) {
            return query == null ? null : escaped(query);
        }
        return query == null || query.isEmpty() ? own : own + "&" + escaped(query);
    }

    /** Bytes beyond ASCII, which some containers let through and hand on as characters, become escapes. */
    private static String escaped(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return PathForm.escaped(text);
            }
        }
        return text;
    }

    /**
     * Whether path and query can stand in a request line: no blank, no control character, nothing of which a container
     * could not tell what it is, and a slash first.
     */
    static boolean isWellFormed(String path, @Nullable String query) {
        return (path.startsWith("/") || path.equals("*")) && isClean(path) && (query == null || isClean(query));
    }

    /**
     * Checks what code makes of a path or a query before it gets into a request.
     *
     * @throws IllegalArgumentException it would be read as something else than a path and a query, or climb
     */
    static void check(String path, @Nullable String query) {
        if (!isWellFormed(path, query) || path.indexOf('?') >= 0) {
            throw new IllegalArgumentException("a path must begin with a slash, and a path or query must have no blank,"
                    + " no control character and, the path, no question mark");
        }
        if (PathForm.climbs(path)) {
            throw new IllegalArgumentException("a path must not climb to its parent by '..'");
        }
    }

    private static boolean isClean(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == 0x7F || c == UNKNOWN) {
                return false;
            }
        }
        return true;
    }
}
