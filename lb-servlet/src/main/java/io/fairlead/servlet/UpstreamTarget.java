package io.fairlead.servlet;

import io.fairlead.Endpoint;
import org.jspecify.annotations.Nullable;

/** Where a request goes on its server: the server's base path and query, joined with the request's. */
final class UpstreamTarget {
    private UpstreamTarget() {}

    /** The base path, which ends without a slash, and the request's, which begins with one. */
    static String path(Endpoint endpoint, String path) {
        return path.equals("*") ? path : endpoint.path() + path;
    }

    static @Nullable String query(Endpoint endpoint, @Nullable String query) {
        String own = endpoint.uri().getRawQuery();
        if (own == null || own.isEmpty()) {
            return query;
        }
        return query == null || query.isEmpty() ? own : own + "&" + query;
    }

    /** Whether path and query can stand in a request line: no blank, no control character, and a slash first. */
    static boolean isWellFormed(String path, @Nullable String query) {
        return (path.startsWith("/") || path.equals("*")) && isClean(path) && (query == null || isClean(query));
    }

    private static boolean isClean(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == 0x7F) {
                return false;
            }
        }
        return true;
    }
}
