package io.fairlead.servlet;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The elements of {@code Forwarded} fields (RFC 7239, 4), one a proxy on the way, as far as they are of use here: who
 * sent the request ({@code for}) and over which scheme ({@code proto}). What is malformed is left out.
 */
final class ForwardedElements {
    private final List<String> senders = new ArrayList<>();
    private @Nullable String lastProto;

    private ForwardedElements() {}

    static ForwardedElements of(Enumeration<String> fields) {
        ForwardedElements elements = new ForwardedElements();
        while (fields.hasMoreElements()) {
            elements.read(fields.nextElement());
        }
        return elements;
    }

    /** The nodes that {@code for} names, unquoted, the client's first; an element without one counts as {@code unknown}. */
    List<String> senders() {
        return senders;
    }

    /** The scheme in the last element, in lower case; null when it names none. */
    @Nullable
    String lastProto() {
        return lastProto;
    }

    /** One field: elements between commas, pairs between semicolons, values that may be quoted. */
    private void read(String field) {
        String sender = null;
        String proto = null;
        boolean any = false;
        int at = 0;
        while (at <= field.length()) {
            int end = endOfPair(field, at);
            int equals = field.indexOf('=', at);
            if (equals >= 0 && equals < end) {
                String name = field.substring(at, equals).strip();
                String value = unquoted(field.substring(equals + 1, end).strip());
                any = true;
                if (name.equalsIgnoreCase("for")) {
                    sender = value;
                } else if (name.equalsIgnoreCase("proto")) {
                    proto = value.toLowerCase(Locale.ROOT);
                }
            }
            if ((end == field.length() || field.charAt(end) == ',') && any) {
                senders.add(sender == null ? "unknown" : sender);
                lastProto = proto;
                sender = null;
                proto = null;
                any = false;
            }
            at = end + 1;
        }
    }

    private static int endOfPair(String field, int start) {
        boolean quoted = false;
        for (int i = start; i < field.length(); i++) {
            char c = field.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ';' || c == ',')) {
                return i;
            }
        }
        return field.length();
    }

    private static String unquoted(String value) {
        if (value.length() < 2 || !value.startsWith("\"") || !value.endsWith("\"")) {
            return value;
        }
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 1; i < value.length() - 1; i++) {
            char c = value.charAt(i);
            if (c == '\\' && i < value.length() - 2) {
                i++;
                c = value.charAt(i);
            }
            plain.append(c);
        }
        return plain.toString();
    }

    /** The element for a request that came from this address, for this authority and over this scheme. */
    static String element(String peer, String authority, String scheme) {
        StringBuilder element = new StringBuilder(64).append("for=");
        // An IPv6 address stands in brackets, and therefore in quotes.
        element.append(peer.indexOf(':') >= 0 ? "\"[" + peer + "]\"" : peer);
        if (!authority.isEmpty()) {
            element.append(";host=").append(isToken(authority) ? authority : quoted(authority));
        }
        return element.append(";proto=").append(scheme).toString();
    }

    private static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
