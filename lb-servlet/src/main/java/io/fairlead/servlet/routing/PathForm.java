package io.fairlead.servlet.routing;

/**
 * The forms of a path: as it came, which is what servers get, and with the needless escapes taken out ({@code %61} is
 * {@code a}: RFC 3986, 6.2.2.2), which is what rules are matched against, so that no spelling of a path gets around a
 * rule.
 */
public final class PathForm {
    private static final int MAX_DECODINGS = 3;

    private PathForm() {}

    /** The path with every escape of an unreserved character (letter, digit, {@code - . _ ~}) taken out. */
    public static String normal(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder normal = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            int c = escaped(path, i);
            if (c >= 0 && isUnreserved(c)) {
                normal.append((char) c);
                i += 2;
            } else {
                normal.append(path.charAt(i));
            }
        }
        return normal.toString();
    }

    /** How many characters of the path as it came make up so many of its normal form. */
    public static int rawLength(String path, int normalLength) {
        if (path.indexOf('%') < 0) {
            return normalLength;
        }
        int raw = 0;
        for (int n = 0; n < normalLength; n++) {
            int c = escaped(path, raw);
            raw += c >= 0 && isUnreserved(c) ? 3 : 1;
        }
        return raw;
    }

    /** Whether the prefix ends at the end of a segment of the path: {@code /foo} begins {@code /foo/x}, not {@code /foobar}. */
    public static boolean startsWith(String path, String prefix) {
        return path.startsWith(prefix)
                && (path.length() == prefix.length() || prefix.endsWith("/") || path.charAt(prefix.length()) == '/');
    }

    /**
     * Whether some server could read the path as climbing to its parent: a segment that is {@code ..} once escapes (also
     * doubled, overlong or {@code %u} ones) are decoded, back slashes taken for slashes, and parameters cut off.
     */
    public static boolean climbs(String path) {
        if (path.indexOf('%') < 0) {
            return path.contains("..") && hasParentSegment(path);
        }
        String decoded = path;
        for (int i = 0; i < MAX_DECODINGS; i++) {
            if (hasParentSegment(decoded)) {
                return true;
            }
            String next = decode(decoded);
            if (next.equals(decoded)) {
                return false;
            }
            decoded = next;
        }
        return hasParentSegment(decoded);
    }

    private static boolean hasParentSegment(String path) {
        int start = 0;
        for (int i = 0; i <= path.length(); i++) {
            if (i == path.length() || path.charAt(i) == '/' || path.charAt(i) == '\\') {
                if (isParent(path, start, i)) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }

    private static boolean isParent(String path, int start, int end) {
        if (end - start < 2 || path.charAt(start) != '.' || path.charAt(start + 1) != '.') {
            return false;
        }
        // What may follow without making it a name: parameters, a cut string, blanks that Windows drops.
        return end - start == 2 || path.charAt(start + 2) == ';' || path.charAt(start + 2) <= ' ';
    }

    private static String decode(String path) {
        StringBuilder decoded = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            int c = escaped(path, i);
            if (c < 0) {
                c = unicodeEscaped(path, i);
                if (c >= 0) {
                    decoded.append((char) c);
                    i += 5;
                } else {
                    decoded.append(path.charAt(i));
                }
                continue;
            }
            int overlong = c >= 0xC0 ? overlong(path, i, c) : -1;
            if (overlong >= 0) {
                decoded.append((char) overlong);
                i += c >= 0xE0 ? 8 : 5;
            } else {
                decoded.append((char) c);
                i += 2;
            }
        }
        return decoded.toString();
    }

    /** An ASCII character in two or three bytes of UTF-8, which only old decoders take: its code, else -1. */
    private static int overlong(String path, int at, int lead) {
        int second = escaped(path, at + 3);
        if (lead <= 0xC1) {
            return second >= 0x80 && second < 0xC0 ? ((lead & 1) << 6) | (second & 0x3F) : -1;
        }
        if (lead == 0xE0 && (second == 0x80 || second == 0x81)) {
            int third = escaped(path, at + 6);
            return third >= 0x80 && third < 0xC0 ? ((second & 1) << 6) | (third & 0x3F) : -1;
        }
        return -1;
    }

    /** The byte that {@code %XX} at this place stands for; -1 when there is none. */
    private static int escaped(String path, int at) {
        if (at + 2 >= path.length() || path.charAt(at) != '%') {
            return -1;
        }
        int high = Character.digit(path.charAt(at + 1), 16);
        int low = Character.digit(path.charAt(at + 2), 16);
        return high < 0 || low < 0 ? -1 : (high << 4) | low;
    }

    /** The character that {@code %uXXXX} at this place stands for; -1 when there is none. */
    private static int unicodeEscaped(String path, int at) {
        if (at + 5 >= path.length() || path.charAt(at) != '%' || (path.charAt(at + 1) | 0x20) != 'u') {
            return -1;
        }
        int code = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = Character.digit(path.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            code = (code << 4) | digit;
        }
        // The full-width forms that some decoders fold into ASCII.
        return code >= 0xFF01 && code <= 0xFF5E ? code - 0xFEE0 : code;
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
}
