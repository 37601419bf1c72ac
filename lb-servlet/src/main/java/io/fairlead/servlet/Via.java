package io.fairlead.servlet;

import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * The field {@code Via} of a request, as far as it tells that the request goes round (RFC 9110, 7.6.3): over and over
 * through this proxy, until connections run out.
 */
final class Via {
    /**
     * So many proxies of one name may stand one behind the other, as those do that share a file, and so often a request
     * may be sent through the same one on purpose.
     */
    static final int MOST_OF_A_NAME = 5;

    private Via() {}

    /**
     * Whether a request has been through proxies of this name so often that it goes round.
     *
     * @param values of all its fields {@code Via}; null: there are none
     */
    static boolean goesRound(@Nullable Enumeration<String> values, String name) {
        int found = 0;
        while (values != null && values.hasMoreElements()) {
            found += count(values.nextElement(), name);
        }
        return found >= MOST_OF_A_NAME;
    }

    /** How many elements of a list name this one; commas and names in comments are none. */
    private static int count(String list, String name) {
        int found = 0;
        int depth = 0;
        int start = 0;
        // Where the element's comment begins; less than zero: nowhere.
        int comment = -1;
        for (int i = 0; i <= list.length(); i++) {
            char c = i == list.length() ? ',' : list.charAt(i);
            if (c == '(') {
                comment = comment < 0 ? i : comment;
                depth++;
            } else if (c == ')') {
                depth = Math.max(0, depth - 1);
            } else if (c == '\\' && depth > 0) {
                i++;
            } else if (c == ',' && (depth == 0 || i == list.length())) {
                if (names(list.substring(start, comment < 0 ? i : comment).strip(), name)) {
                    found++;
                }
                start = i + 1;
                comment = -1;
            }
        }
        return found;
    }

    /** Whether this is a protocol and, behind it, the name. */
    private static boolean names(String element, String name) {
        int at = element.length() - name.length();
        return at > 0
                && element.regionMatches(true, at, name, 0, name.length())
                && (element.charAt(at - 1) == ' ' || element.charAt(at - 1) == '\t');
    }
}
