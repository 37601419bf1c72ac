package io.fairlead.servlet.routing;

/**
 * The forms of a path: as it came, which is what servers get, byte for byte; and its normal form, which is what rules are
 * matched against, so that no spelling of a path gets around a rule. All that a server reads as one path has one normal
 * form:
 *
 * <ul>
 *   <li>escapes of what may stand plainly in a segment are taken out, all other bytes are escaped in upper case
 *       ({@code %61} is {@code a}, {@code %c3%a9} and {@code é} are {@code %C3%A9}: RFC 3986, 6.2.2);
 *   <li>back slashes, {@code %2F} and {@code %5C} are slashes;
 *   <li>parameters of segments are cut off ({@code /a;v=1/b} is {@code /a/b}; {@code %3B} begins them, too);
 *   <li>empty segments and those of a single dot are left out ({@code //a/./b} is {@code /a/b}).
 * </ul>
 *
 * <p>Two dots stay, since a path with them is refused: {@link #climbs}.
 */
public final class PathForm {
    /** What {@link #cut} says of a path that cannot be cut. */
    public static final int UNCLEAR = -1;

    /** A path that is still escaped after so many decodings means nothing good. */
    private static final int MAX_DECODINGS = 8;

    private PathForm() {}

    /** The normal form of a path; one that does not begin with a slash stays as it is. */
    public static String normal(String path) {
        if (!path.startsWith("/") || isNormal(path)) {
            return path;
        }
        StringBuilder normal = new StringBuilder(path.length());
        PathSegments segments = new PathSegments(path);
        while (segments.next()) {
            if (!segments.isVoid()) {
                normal.append('/');
                Escapes.addUniform(normal, path, segments.start(), segments.end());
            } else if (segments.isLast()) {
                normal.append('/');
            }
        }
        return normal.toString();
    }

    /** Whether the path is surely in its normal form; answers without making anything, as it does for nearly all. */
    private static boolean isNormal(String path) {
        for (int i = 1; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean begins = path.charAt(i - 1) == '/';
            if (c == '/' ? begins : c == ';' || !Escapes.isUniform(c) || (c == '.' && begins)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A normal form as regular expressions see it: with blanks, letters beyond ASCII and whatever else means nothing in
     * a URL in place of their escapes. What would mean something ({@code %3F}, {@code %23}, {@code %25}, brackets,
     * control characters) stays escaped.
     */
    public static String readable(String normal) {
        return normal.indexOf('%') < 0 ? normal : Escapes.readable(normal);
    }

    /**
     * A path in another spelling that means the same to every server (RFC 3986, 6.2.2): letters, digits and
     * {@code -._~} plainly, other escapes in upper case, and what is beyond ASCII escaped.
     */
    public static String uniform(String path) {
        return Escapes.uniform(path);
    }

    /** A path or query in which what is beyond ASCII is escaped as UTF-8, and all else is as it was. */
    public static String escaped(String text) {
        return Escapes.escaped(text);
    }

    /**
     * Where the rest of a path as it came begins when a prefix is cut off.
     *
     * @param prefix a normal form without a slash at its end, with which the path's begins ({@link #startsWith})
     * @return {@link #UNCLEAR} when a server that takes escaped slashes for part of a name would cut elsewhere
     */
    public static int cut(String path, String prefix) {
        int left = 0;
        for (int i = 0; i < prefix.length(); i++) {
            left += prefix.charAt(i) == '/' ? 1 : 0;
        }
        if (left == 0) {
            return 0;
        }
        PathSegments segments = new PathSegments(path);
        while (left > 0 && segments.next()) {
            if (!segments.endsPlainly()) {
                return UNCLEAR;
            }
            left -= segments.isVoid() ? 0 : 1;
        }
        return segments.endOfParameters();
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
        return true;
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
            int c = Escapes.at(path, i);
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
                i += c >= 0xF0 ? 11 : c >= 0xE0 ? 8 : 5;
            } else {
                decoded.append((char) c);
                i += 2;
            }
        }
        return decoded.toString();
    }

    /** An ASCII character in two to four bytes of UTF-8, which only old decoders take: its code, else -1. */
    private static int overlong(String path, int at, int lead) {
        int second = Escapes.at(path, at + 3);
        if (lead <= 0xC1) {
            return second >= 0x80 && second < 0xC0 ? ((lead & 1) << 6) | (second & 0x3F) : -1;
        }
        if (lead == 0xE0 && (second == 0x80 || second == 0x81)) {
            int third = Escapes.at(path, at + 6);
            return third >= 0x80 && third < 0xC0 ? ((second & 1) << 6) | (third & 0x3F) : -1;
        }
        if (lead == 0xF0 && second == 0x80) {
            int third = Escapes.at(path, at + 6);
            int fourth = Escapes.at(path, at + 9);
            boolean ascii = (third == 0x80 || third == 0x81) && fourth >= 0x80 && fourth < 0xC0;
            return ascii ? ((third & 1) << 6) | (fourth & 0x3F) : -1;
        }
        return -1;
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
}
