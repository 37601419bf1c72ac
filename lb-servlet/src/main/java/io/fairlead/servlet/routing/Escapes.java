package io.fairlead.servlet.routing;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoding (RFC 3986, 2.1). */
final class Escapes {
    private static final String HEX = "0123456789ABCDEF";
    /** What may not stand in a URL plainly, and yet means nothing there. */
    private static final String READABLE = " \"<>^`{|}";

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

    /** The path with escapes of unreserved characters taken out, and all others in upper case. */
    static String uniform(String path) {
        boolean plain = true;
        for (int i = 0; i < path.length() && plain; i++) {
            plain = path.charAt(i) != '%' && path.charAt(i) < 0x80;
        }
        if (plain) {
            return path;
        }
        StringBuilder uniform = new StringBuilder(path.length() + 16);
        for (int i = 0; i < path.length(); i++) {
            int escaped = at(path, i);
            char c = path.charAt(i);
            if (escaped >= 0) {
                if (isUnreserved(escaped)) {
                    uniform.append((char) escaped);
                } else {
                    addEscaped(uniform, escaped);
                }
                i += 2;
            } else if (c < 0x80) {
                uniform.append(c);
            } else {
                i = addCharacter(uniform, path, i) - 1;
            }
        }
        return uniform.toString();
    }

    /** The text with what is beyond ASCII escaped. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < 0x80) {
                escaped.append(text.charAt(i));
            } else {
                i = addCharacter(escaped, text, i) - 1;
            }
        }
        return escaped.toString();
    }

    /** Adds the escapes of the character that begins here; where it ends. */
    private static int addCharacter(StringBuilder to, String text, int start) {
        int end = text.offsetByCodePoints(start, 1);
        for (byte b : text.substring(start, end).getBytes(StandardCharsets.UTF_8)) {
            addEscaped(to, b & 0xFF);
        }
        return end;
    }

    /** A uniform path with the characters in it that need no escape for their meaning. */
    static String readable(String uniform) {
        StringBuilder readable = new StringBuilder(uniform.length());
        for (int i = 0; i < uniform.length(); i++) {
            int escaped = at(uniform, i);
            if (escaped < 0) {
                readable.append(uniform.charAt(i));
            } else if (escaped < 0x80) {
                if (READABLE.indexOf(escaped) >= 0) {
                    readable.append((char) escaped);
                } else {
                    addEscaped(readable, escaped);
                }
                i += 2;
            } else {
                i = addBeyondAscii(readable, uniform, i) - 1;
            }
        }
        return readable.toString();
    }

    /** Adds the character that begins here, or, where the bytes are no UTF-8, one of them as it is; where it ends. */
    private static int addBeyondAscii(StringBuilder to, String path, int start) {
        int lead = at(path, start);
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            int b = at(path, start + 3 * i);
            if (b < 0x80) {
                length = 1;
                break;
            }
            bytes[i] = (byte) b;
        }
        if (length > 1) {
            try {
                to.append(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)));
                return start + 3 * length;
            } catch (CharacterCodingException e) {
                // No UTF-8: this byte stays escaped, and the next one is looked at by itself.
                addEscaped(to, lead);
                return start + 3;
            }
        }
        addEscaped(to, lead);
        return start + 3;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    private static void addEscaped(StringBuilder to, int b) {
        to.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 0xF));
    }

    private static void addByte(StringBuilder to, int b) {
        if (b < 0x80 && isUniform((char) b)) {
            to.append((char) b);
        } else {
            addEscaped(to, b);
        }
    }
}
