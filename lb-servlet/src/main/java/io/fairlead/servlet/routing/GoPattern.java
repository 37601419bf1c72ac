package io.fairlead.servlet.routing;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression in Go's syntax, as Traefik has it. Matching takes time in proportion to the text, whatever the
 * expression, so that no request can make it run away.
 *
 * <p>Immutable; safe for use from any thread.
 */
public final class GoPattern {
    private final Pattern pattern;

    private GoPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException it is none; the message says why
     */
    public static GoPattern compile(String expression) {
        try {
            return new GoPattern(Pattern.compile(expression));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'" + expression + "' is not a regular expression: " + e.getDescription(), e);
        }
    }

    /** Whether any part of the text matches. */
    public boolean find(String text) {
        return pattern.matcher(text).find();
    }

    /** Where the match that begins the text ends; -1 when none begins it. */
    public int endOfBeginning(String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() && matcher.start() == 0 ? matcher.end() : -1;
    }

    /**
     * The text with every match exchanged; the text itself when there is none. As in Go, an empty match right behind
     * another match does not count, so that {@code .*} matches once.
     *
     * @param replacement made for this pattern
     */
    public String replaceAll(String text, Replacement replacement) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            return text;
        }
        StringBuilder replaced = new StringBuilder(text.length() + 32);
        int copied = 0;
        int lastEnd = -1;
        do {
            if (matcher.end() == matcher.start() && matcher.start() == lastEnd) {
                continue;
            }
            replaced.append(text, copied, matcher.start());
            replacement.addTo(replaced, matcher);
            copied = matcher.end();
            lastEnd = copied;
        } while (matcher.find());
        return replaced.append(text, copied, text.length()).toString();
    }

    /** The number of a group by its name or its number as text; -1 when there is no such group. */
    int group(String name) {
        if (name.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return name.length() < 4 && Integer.parseInt(name) <= pattern.groupCount() ? Integer.parseInt(name) : -1;
        }
        return pattern.namedGroups().getOrDefault(name, -1);
    }

    @Override
    public String toString() {
        return pattern.toString();
    }
}
