package io.fairlead.servlet.routing;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks a query as it came ({@code a=1&b=2}) for its parameters. */
final class QueryText {
    private QueryText() {}

    /**
     * Whether the query has a parameter of that name with a value that is wanted; one without a value has an empty one.
     *
     * @param query null: there is none
     */
    static boolean has(@Nullable String query, String name, Predicate<String> wanted) {
        if (query == null) {
            return false;
        }
        int start = 0;
        while (start <= query.length()) {
            int and = query.indexOf('&', start);
            int end = and < 0 ? query.length() : and;
            int equals = query.indexOf('=', start);
            int nameEnd = equals < 0 || equals > end ? end : equals;
            if (decode(query.substring(start, nameEnd)).equals(name)
                    && wanted.test(decode(query.substring(Math.min(nameEnd + 1, end), end)))) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    /** Escapes that are broken stay as they are. */
    private static String decode(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
