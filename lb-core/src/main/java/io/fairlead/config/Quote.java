package io.fairlead.config;

/** Text of the file in a message: in quotes, and not longer than is of use. */
final class Quote {
    private static final int MAX = 100;

    private Quote() {}

    static String of(String text) {
        return "'" + cut(text) + "'";
    }

    static String cut(String text) {
        if (text.length() <= MAX) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX - 1)) ? MAX - 1 : MAX;
        return text.substring(0, end) + "...";
    }
}
