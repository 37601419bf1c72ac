package io.fairlead.servlet;

import io.fairlead.config.AddressRange;
import io.fairlead.config.AddressRanges;
import io.fairlead.config.ForwardedHeadersSpec;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whose word is taken for where a request came from: the addresses of {@code http.forwardedHeaders.trustedIPs}, nobody's
 * by default.
 *
 * <p>Immutable.
 */
final class Trust {
    static final Trust NOBODY = new Trust(ForwardedHeadersSpec.NONE);

    private final AddressRanges trusted;
    private final ForwardedHeadersSpec spec;

    Trust(ForwardedHeadersSpec spec) {
        this.trusted = spec.trusted();
        this.spec = spec;
    }

    /** The name that this proxy has in {@code Via}; null: none is sent. */
    @Nullable
    String via() {
        return spec.via();
    }

    /** Whether {@code Forwarded} is sent. */
    boolean sendsForwarded() {
        return spec.forwarded();
    }

    /** Whether the peer of this request is believed. */
    boolean believes(HttpServletRequest request) {
        return !trusted.isEmpty() && trusted.contains(peer(request));
    }

    /**
     * The address that the request's connection comes from, an IPv6 address without brackets and zone; {@code unknown}
     * (RFC 7239, 6.2) where the client is gone already.
     */
    static String peer(HttpServletRequest request) {
        String address = request.getRemoteAddr();
        return address == null ? "unknown" : AddressRange.bare(address);
    }

    /**
     * The client's address: the peer's, or, where the peer is trusted, the last one of the {@linkplain #chain chain} that
     * no trusted proxy stands behind. What is no address ends the chain: whoever sent it is the last one known.
     */
    String client(HttpServletRequest request) {
        String client = peer(request);
        if (trusted.isEmpty() || !trusted.contains(client)) {
            return client;
        }
        List<String> hops = chain(request);
        for (int i = hops.size() - 1; i >= 0; i--) {
            String hop = hops.get(i);
            if (!AddressRange.isAddress(hop)) {
                return client;
            }
            client = hop;
            if (!trusted.contains(hop)) {
                return client;
            }
        }
        return client;
    }

    /**
     * The addresses that the peer tells the request to have come through, the client's first: those of X-Forwarded-For,
     * else of Forwarded, else that of X-Real-IP, without ports; what is no address stands among them. Empty when the peer
     * is not believed.
     */
    List<String> chain(HttpServletRequest request) {
        if (!believes(request)) {
            return List.of();
        }
        List<String> hops = new ArrayList<>();
        Enumeration<String> told = fields(request, "X-Forwarded-For");
        if (told.hasMoreElements()) {
            while (told.hasMoreElements()) {
                for (String hop : List.of(told.nextElement().split(",", -1))) {
                    hops.add(AddressRange.bare(hop.strip()));
                }
            }
            return hops;
        }
        told = fields(request, "Forwarded");
        if (told.hasMoreElements()) {
            ForwardedElements.of(told).senders().forEach(sender -> hops.add(AddressRange.bare(sender)));
            return hops;
        }
        String real = last(request, "X-Real-IP");
        return real == null ? List.of() : List.of(AddressRange.bare(real.strip()));
    }

    /** The scheme that the client uses, {@code http} or {@code https}: that of the connection, or what a trusted peer says. */
    String scheme(HttpServletRequest request) {
        if (believes(request)) {
            String told = toldProto(request);
            if (told == null) {
                told = ForwardedElements.of(fields(request, "Forwarded")).lastProto();
            }
            String scheme = told == null ? null : httpScheme(told);
            if (scheme != null) {
                return scheme;
            }
        }
        return "https".equalsIgnoreCase(request.getScheme()) || request.isSecure() ? "https" : "http";
    }

    /**
     * What the request says of its scheme: of several values the last, which the peer has added; those before it can be
     * the client's own. Null: nothing.
     */
    static @Nullable String toldProto(HttpServletRequest request) {
        String told = last(request, "X-Forwarded-Proto");
        return told == null ? null : told.substring(told.lastIndexOf(',') + 1).strip();
    }

    /** The last of several fields of that name, which the peer has added; null: there is none. */
    static @Nullable String last(HttpServletRequest request, String name) {
        String told = null;
        for (Enumeration<String> values = fields(request, name); values.hasMoreElements(); ) {
            told = values.nextElement();
        }
        return told;
    }

    /** Those of WebSockets are the ones that they begin with. */
    private static @Nullable String httpScheme(String told) {
        return switch (told.toLowerCase(Locale.ROOT)) {
            case "http", "ws" -> "http";
            case "https", "wss" -> "https";
            default -> null;
        };
    }

    private static Enumeration<String> fields(HttpServletRequest request, String name) {
        Enumeration<String> values = request.getHeaders(name);
        return values == null ? Collections.emptyEnumeration() : values;
    }
}
