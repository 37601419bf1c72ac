package io.fairlead.servlet.routing;

import java.nio.charset.StandardCharsets;

/** Percent-encoding (RFC 3986, 2.1). */
final class Escapes {
    private static final String HEX = "0123456789ABCDEF";
    private static final String PLAIN = "-._~!$&'()*+,;=:@";

    private Escapes() {}

    /** The byte that {@code %XX} at this place stands for; -1 when there is none. */
    static int at(String path, int at) {
        if (at + 2 >= path.length() || path.charAt(at) != '%') {
            return -1;
        }
        int high = Character.digit(path.charAt(at + 1), 16);
        int low = Character.digit(path.charAt(at + 2), 16);
        return high < 0 || low < 0 ? -1 : (high << 4) | low;
    }

    /**
     * Adds a part of a path in the one spelling that is the same for all of its spellings: what may stand in a segment
     * stands there plainly, and all else (a percent sign that begins no escape among it) is escaped in upper case, as
     * UTF-8 beyond ASCII.
     */
    static void addUniform(StringBuilder to, String path, int start, int end) {
        for (int i = start; i < end; i++) {
            int escaped = at(path, i);
            if (escaped >= 0) {
                addByte(to, escaped);
                i += 2;
            } else if (path.charAt(i) < 0x80) {
                addByte(to, path.charAt(i));
            } else {
                int after = path.offsetByCodePoints(i, 1);
                for (byte b : path.substring(i, after).getBytes(StandardCharsets.UTF_8)) {
                    addByte(to, b & 0xFF);
                }
                i = after - 1;
            }
        }
    }

    /** Whether the character stands for itself in the uniform spelling of a segment. */
    static boolean isUniform(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || PLAIN.indexOf(c) >= 0;
    }

    private static void addByte(StringBuilder to, int b) {
        if (b < 0x80 && isUniform((char) b)) {
            to.append((char) b);
        } else {
            to.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 0xF));
        }
    }
}
