package io.fairlead.config;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads IP addresses written as text (RFC 4291, 2.2; dotted decimal). By hand, since the JDK looks names up, takes
 * {@code 010.1} for an address, and is slow at it.
 */
final class IpAddress {
    private static final int V4_BYTES = 4;
    private static final int V6_BYTES = 16;

    private IpAddress() {}

    /**
     * The address's bytes, 4 or 16 of them, an IPv4-mapped IPv6 address ({@code ::ffff:10.0.0.1}) as the IPv4 address
     * that it stands for; null when the text is no address.
     */
    static byte @Nullable [] parse(String text) {
        byte[] bytes = literal(text);
        return bytes != null && isMapped(bytes) ? Arrays.copyOfRange(bytes, V6_BYTES - V4_BYTES, V6_BYTES) : bytes;
    }

    /** The address's bytes as it is written, a mapped one not unwrapped; null when the text is no address. */
    static byte @Nullable [] literal(String text) {
        return text.indexOf(':') >= 0 ? v6(text) : v4(text, 0);
    }

    static boolean isMapped(byte[] bytes) {
        if (bytes.length != V6_BYTES || bytes[10] != -1 || bytes[11] != -1) {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Four numbers from 0 to 255 without leading zeros, which some take for octal. */
    private static byte @Nullable [] v4(String text, int start) {
        byte[] bytes = new byte[V4_BYTES];
        int at = start;
        for (int i = 0; i < V4_BYTES; i++) {
            if (i > 0) {
                if (at >= text.length() || text.charAt(at) != '.') {
                    return null;
                }
                at++;
            }
            int first = at;
            int number = 0;
            while (at < text.length() && isDigit(text.charAt(at)) && at - first < 3) {
                number = number * 10 + (text.charAt(at) - '0');
                at++;
            }
            if (at == first || number > 255 || (at - first > 1 && text.charAt(first) == '0')) {
                return null;
            }
            bytes[i] = (byte) number;
        }
        return at == text.length() ? bytes : null;
    }

    private static byte @Nullable [] v6(String text) {
        byte[] bytes = new byte[V6_BYTES];
        int filled = 0;
        // Where the zeros of a double colon go.
        int gap = -1;
        int at = 0;
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < text.length()) {
            int end = text.indexOf(':', at);
            int stop = end < 0 ? text.length() : end;
            if (end < 0 && text.indexOf('.', at) >= 0) {
                byte[] last = v4(text, at);
                if (last == null || filled > V6_BYTES - V4_BYTES) {
                    return null;
                }
                System.arraycopy(last, 0, bytes, filled, V4_BYTES);
                filled += V4_BYTES;
                break;
            }
            int group = group(text, at, stop);
            if (group < 0 || filled == V6_BYTES) {
                return null;
            }
            bytes[filled++] = (byte) (group >> 8);
            bytes[filled++] = (byte) group;
            if (end < 0) {
                break;
            }
            at = end + 1;
            if (at < text.length() && text.charAt(at) == ':') {
                if (gap >= 0) {
                    return null;
                }
                gap = filled;
                at++;
            } else if (at == text.length()) {
                return null;
            }
        }
        return spread(bytes, filled, gap);
    }

    private static byte @Nullable [] spread(byte[] bytes, int filled, int gap) {
        if (gap < 0) {
            return filled == V6_BYTES ? bytes : null;
        }
        if (filled == V6_BYTES) {
            return null;
        }
        int behind = filled - gap;
        System.arraycopy(bytes, gap, bytes, V6_BYTES - behind, behind);
        Arrays.fill(bytes, gap, V6_BYTES - behind, (byte) 0);
        return bytes;
    }

    /** One to four hexadecimal digits; -1 when it is something else. */
    private static int group(String text, int start, int end) {
        if (end == start || end - start > 4) {
            return -1;
        }
        int group = 0;
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            group = (group << 4) | digit;
        }
        return group;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
