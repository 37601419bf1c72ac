package io.fairlead.servlet;

import java.util.EnumSet;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * The fields that mean one connection and not the message (RFC 9110, 7.6.1): a fixed list, and whatever {@code
 * Connection} names. The framing (Content-Length, Transfer-Encoding) is among them, since each side is framed anew.
 */
final class HopByHop {
    private static final Set<HttpHeader> ALWAYS = EnumSet.of(
            HttpHeader.CONNECTION,
            HttpHeader.KEEP_ALIVE,
            HttpHeader.TE,
            HttpHeader.TRAILER,
            HttpHeader.TRANSFER_ENCODING,
            HttpHeader.CONTENT_LENGTH,
            HttpHeader.UPGRADE,
            HttpHeader.HTTP2_SETTINGS);

    private final Set<String> named;

    private HopByHop(Set<String> named) {
        this.named = named;
    }

    /** Of a request: reads its {@code Connection} fields. */
    static HopByHop of(Enumeration<String> connection) {
        Set<String> named = Set.of();
        while (connection.hasMoreElements()) {
            named = add(named, connection.nextElement());
        }
        return new HopByHop(named);
    }

    /** Of an answer: reads its {@code Connection} fields. */
    static HopByHop of(HttpFields fields) {
        Set<String> named = Set.of();
        for (HttpField field : fields) {
            if (field.getHeader() == HttpHeader.CONNECTION && field.getValue() != null) {
                named = add(named, field.getValue());
            }
        }
        return new HopByHop(named);
    }

    private static Set<String> add(Set<String> named, String value) {
        if (value.equalsIgnoreCase("keep-alive") || value.equalsIgnoreCase("close")) {
            return named;
        }
        Set<String> more = new HashSet<>(named);
        for (String token : List.of(value.split(","))) {
            more.add(token.strip().toLowerCase(Locale.ROOT));
        }
        return more;
    }

    /**
     * Whether a field stays behind.
     *
     * @param known the field's name where Jetty knows it, else null
     */
    boolean holds(String name, @Nullable HttpHeader known) {
        if (known != null && ALWAYS.contains(known)) {
            return true;
        }
        // Proxy-Connection and the like; and Proxy itself, which CGI programs take for their own setting (httpoxy).
        if (name.regionMatches(true, 0, "proxy", 0, 5) && (name.length() == 5 || name.charAt(5) == '-')) {
            return true;
        }
        return !named.isEmpty() && named.contains(name.toLowerCase(Locale.ROOT));
    }
}
