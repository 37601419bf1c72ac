package io.fairlead.servlet;

import io.fairlead.Pick;
import io.fairlead.config.AddressRange;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request as the server gets them: those of the client without the hop-by-hop ones, Host by the
 * service's settings, and where the request came from by our own word, unless the peer is trusted.
 */
final class RequestFields {
    private static final String FORWARDED_PREFIX = "x-forwarded-";

    private final HttpServletRequest request;
    private final Trust trust;
    private final boolean trusted;
    private final boolean hasBody;
    private final String strippedPrefix;

    RequestFields(HttpServletRequest request, Trust trust, boolean hasBody, String strippedPrefix) {
        this.request = request;
        this.trust = trust;
        this.trusted = trust.believes(request);
        this.hasBody = hasBody;
        this.strippedPrefix = strippedPrefix;
    }

    void addTo(HttpFields.Mutable fields, Pick pick) {
        String authority = ServletFacts.authority(request);
        addHost(fields, pick, authority);
        addOthersThanHost(fields, authority);
    }

    /** The host that the client named, or the server's own, as the service has it. */
    static void addHost(HttpFields.Mutable fields, Pick pick, String authority) {
        boolean pass = pick.settings().passHostHeader() && !authority.isEmpty();
        fields.add(HttpHeader.HOST, pass ? authority : pick.endpoint().authority());
    }

    /** What does not depend on the server. */
    void addOthersThanHost(HttpFields.Mutable fields, String authority) {
        HopByHop hopByHop = HopByHop.of(values("Connection"));
        Enumeration<String> names = request.getHeaderNames();
        while (names.hasMoreElements()) {
            String name = names.nextElement();
            HttpHeader known = HttpHeader.CACHE.get(name);
            if (hopByHop.holds(name, known) || isOurs(name, known)) {
                continue;
            }
            if (known == HttpHeader.COOKIE && !request.getProtocol().startsWith("HTTP/1")) {
                // There each may have a field of its own, and only there (RFC 9113, 8.2.3; RFC 9114, 4.2.1).
                fields.add(new HttpField(known, name, cookies(values(name))));
                continue;
            }
            // A type alone would make the client add a length of 0 to a request that has no body.
            HttpHeader told = known == HttpHeader.CONTENT_TYPE && !hasBody ? null : known;
            Enumeration<String> values = request.getHeaders(name);
            while (values.hasMoreElements()) {
                String value = values.nextElement();
                boolean counted = known == HttpHeader.MAX_FORWARDS;
                fields.add(new HttpField(told, name, counted ? MaxForwards.next(request.getMethod(), value) : value));
            }
        }
        if (hasBody && request.getContentLengthLong() < 0) {
            // Without a type, and without this, the client drops the body of every method but POST, PUT and PATCH.
            fields.add(HttpHeader.TRANSFER_ENCODING, "chunked");
            addAll(fields, "Trailer");
        }
        if (Trailers.areTaken(request)) {
            fields.add(HttpHeader.TE, "trailers");
        }
        addForwarded(fields, authority);
    }

    /** In one field; of some containers they come so, with what stood in an empty one between them. */
    private static String cookies(Enumeration<String> values) {
        List<String> all = new ArrayList<>();
        while (values.hasMoreElements()) {
            all.addAll(List.of(values.nextElement().split("; ", -1)));
        }
        all.removeIf(String::isBlank);
        return String.join("; ", all);
    }

    /** Whether the field is not copied because it is made anew here. */
    private static boolean isOurs(String name, @Nullable HttpHeader known) {
        // Expect is sent by the one who waits for what the server says to it.
        return known == HttpHeader.HOST
                || known == HttpHeader.EXPECT
                || known == HttpHeader.FORWARDED
                || isForwardedName(name);
    }

    /** X-Forwarded-Anything, X-Real-IP and X-Replaced-Path, also with the underscores that some servers take for hyphens. */
    static boolean isForwardedName(String name) {
        if (name.length() < 9 || (name.charAt(0) | 0x20) != 'x') {
            return false;
        }
        String plain = name.indexOf('_') < 0 ? name : name.replace('_', '-');
        return plain.regionMatches(true, 0, FORWARDED_PREFIX, 0, FORWARDED_PREFIX.length())
                || plain.equalsIgnoreCase("X-Real-IP")
                || plain.equalsIgnoreCase("X-Replaced-Path");
    }

    private void addForwarded(HttpFields.Mutable fields, String authority) {
        String peer = Trust.peer(request);
        String toldProto = trusted ? Trust.toldProto(request) : null;
        String proto = toldProto == null || toldProto.isEmpty() ? trust.scheme(request) : toldProto;
        String host = told("X-Forwarded-Host", authority);
        fields.add(HttpHeader.X_FORWARDED_FOR, chain(peer));
        fields.add(HttpHeader.X_FORWARDED_PROTO, proto);
        if (!host.isEmpty()) {
            fields.add(HttpHeader.X_FORWARDED_HOST, host);
        }
        fields.add(HttpHeader.X_FORWARDED_PORT, told("X-Forwarded-Port", port(host, proto)));
        fields.add(new HttpField(null, "X-Real-IP", told("X-Real-IP", trusted ? trust.client(request) : peer)));
        String before = trusted ? request.getHeader("X-Forwarded-Prefix") : null;
        String prefix = (before == null ? "" : before) + strippedPrefix;
        if (!prefix.isEmpty()) {
            fields.add("X-Forwarded-Prefix", prefix);
        }
        addStandardForwarded(fields, peer, authority);
        String via = trust.via();
        if (via != null) {
            fields.add(HttpHeader.VIA, version(request.getProtocol()) + " " + via);
        }
        if (trusted) {
            addOthers(fields);
        }
    }

    /** The way of the request up to the peer, as X-Forwarded-For tells it. */
    private String chain(String peer) {
        if (!trusted) {
            return peer;
        }
        String told = joined("X-Forwarded-For");
        if (told != null && !told.isBlank()) {
            return told + ", " + peer;
        }
        List<String> hops = trust.chain(request);
        boolean known = !hops.isEmpty() && hops.stream().allMatch(AddressRange::isAddress);
        return known ? String.join(", ", hops) + ", " + peer : peer;
    }

    /** The port that the client used: the one in the host, or else the scheme's. */
    private String port(String host, String proto) {
        if (host.isEmpty()) {
            return Integer.toString(request.getServerPort());
        }
        int colon = host.lastIndexOf(':');
        String port = colon > host.lastIndexOf(']') ? host.substring(colon + 1) : "";
        if (isNumber(port)) {
            return port;
        }
        return proto.equalsIgnoreCase("https") || proto.equalsIgnoreCase("wss") ? "443" : "80";
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** {@code Forwarded}: what a trusted peer says of the way before, and, by option, where it came from to here. */
    private void addStandardForwarded(HttpFields.Mutable fields, String peer, String authority) {
        if (!trust.sendsForwarded()) {
            if (trusted) {
                addAll(fields, "Forwarded");
            }
            return;
        }
        String own = ForwardedElements.element(peer, authority, request.getScheme());
        String before = trusted ? joined("Forwarded") : null;
        fields.add(HttpHeader.FORWARDED, before == null || before.isBlank() ? own : before + ", " + own);
    }

    /** The version of {@code HTTP/1.1}, as {@code Via} has it. */
    static String version(String protocol) {
        return protocol.substring(protocol.indexOf('/') + 1);
    }

    /** What a trusted peer says in a field, or else our own word. */
    private String told(String name, String own) {
        String told = trusted ? Trust.last(request, name) : null;
        return told == null || told.isEmpty() ? own : told;
    }

    /** What a trusted proxy says beyond the fields that are known here (X-Forwarded-Server and the like). */
    private void addOthers(HttpFields.Mutable fields) {
        Enumeration<String> names = request.getHeaderNames();
        while (names.hasMoreElements()) {
            String name = names.nextElement();
            if (isForwardedName(name) && name.indexOf('_') < 0 && !fields.contains(name)) {
                addAll(fields, name);
            }
        }
    }

    private void addAll(HttpFields.Mutable fields, String name) {
        Enumeration<String> values = values(name);
        while (values.hasMoreElements()) {
            fields.add(name, values.nextElement());
        }
    }

    private @Nullable String joined(String name) {
        Enumeration<String> values = values(name);
        return values.hasMoreElements() ? String.join(", ", Collections.list(values)) : null;
    }

    private Enumeration<String> values(String name) {
        Enumeration<String> values = request.getHeaders(name);
        return values == null ? Collections.emptyEnumeration() : values;
    }
}
