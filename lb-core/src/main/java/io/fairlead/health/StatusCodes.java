package io.fairlead.health;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A set of HTTP statuses: {@code 200}, or ranges and single ones such as {@code 200-299,304}.
 *
 * <p>Immutable; equal by value.
 */
public final class StatusCodes {
    private static final int FIRST = 200;
    private static final int LAST = 599;
    private static final Pattern PART = Pattern.compile("([0-9]{3})(?:-([0-9]{3}))?");

    /** Those from 200 to 399. */
    public static final StatusCodes BELOW_400 = parse("200-399");

    private final String text;
    private final BitSet codes;

    private StatusCodes(String text, BitSet codes) {
        this.text = text;
        this.codes = codes;
    }

    /**
     * Reads a set.
     *
     * @throws IllegalArgumentException the text is none, or names a status that is not from 200 to 599
     */
    public static StatusCodes parse(String text) {
        String compact = text.replace(" ", "");
        BitSet codes = new BitSet(LAST + 1);
        for (String part : compact.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            int first = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
            int last = first == 0 || matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (first < FIRST || last > LAST || last < first) {
                throw new IllegalArgumentException("'" + text
                        + "' is no status from 200 to 599, nor a list of them and of ranges such as 200-299,304");
            }
            codes.set(first, last + 1);
        }
        return new StatusCodes(compact, codes);
    }

    /** Whether a status is one of them. */
    public boolean contains(int status) {
        return status >= 0 && codes.get(status);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StatusCodes && codes.equals(((StatusCodes) other).codes);
    }

    @Override
    public int hashCode() {
        return codes.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
