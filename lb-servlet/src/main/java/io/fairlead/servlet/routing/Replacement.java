package io.fairlead.servlet.routing;

import com.google.re2j.Matcher;
import java.util.ArrayList;
import java.util.List;

/**
 * What takes the place of a match, in Go's form: {@code ${1}}, {@code ${name}}, {@code $1} and {@code $name} stand for
 * groups, a name being as long as letters, digits and underscores go ({@code $1x} is {@code ${1x}}); {@code $$} is a
 * dollar sign.
 *
 * <p>Immutable; safe for use from any thread.
 */
public final class Replacement {
    /** Texts, and numbers of groups between them. */
    private final List<Object> parts;

    private Replacement(List<Object> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * Reads a replacement.
     *
     * @param pattern whose groups it names
     * @throws IllegalArgumentException it names a group that the pattern does not have
     */
    public static Replacement of(String text, GoPattern pattern) {
        List<Object> parts = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != '$') {
                plain.append(c);
                at++;
                continue;
            }
            if (at + 1 < text.length() && text.charAt(at + 1) == '$') {
                plain.append('$');
                at += 2;
                continue;
            }
            boolean braced = at + 1 < text.length() && text.charAt(at + 1) == '{';
            int start = at + (braced ? 2 : 1);
            int end = start;
            while (end < text.length() && isName(text.charAt(end))) {
                end++;
            }
            if (end == start || (braced && (end == text.length() || text.charAt(end) != '}'))) {
                // Not the beginning of a name: Go takes the sign for itself.
                plain.append(c);
                at++;
                continue;
            }
            String name = text.substring(start, end);
            int group = pattern.group(name);
            if (group < 0) {
                throw new IllegalArgumentException("the regular expression has no group '" + name + "'"
                        + (braced ? "" : "; write ${1}x for group 1 before an x"));
            }
            parts.add(plain.toString());
            parts.add(group);
            plain.setLength(0);
            at = end + (braced ? 1 : 0);
        }
        parts.add(plain.toString());
        return new Replacement(parts);
    }

    private static boolean isName(char c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }

    void addTo(StringBuilder text, Matcher matcher) {
        for (Object part : parts) {
            if (part instanceof Integer group) {
                String value = matcher.group(group);
                text.append(value == null ? "" : value);
            } else {
                text.append(part);
            }
        }
    }
}
