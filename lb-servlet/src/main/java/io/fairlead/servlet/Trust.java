package io.fairlead.servlet;

import io.fairlead.servlet.routing.AddressRange;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose word is taken for where a request came from: the addresses of {@code http.forwardedHeaders.trustedIPs}, nobody's
 * by default.
 *
 * <p>Immutable.
 */
final class Trust {
    static final Trust NOBODY = new Trust(List.of());

    private final List<AddressRange> trusted;

    Trust(List<AddressRange> trusted) {
        this.trusted = List.copyOf(trusted);
    }

    /** Whether the peer of this request is believed. */
    boolean believes(HttpServletRequest request) {
        return !trusted.isEmpty() && isTrusted(peer(request));
    }

    /** The address that the request's connection comes from, an IPv6 address without brackets and zone. */
    static String peer(HttpServletRequest request) {
        return AddressRange.bare(request.getRemoteAddr());
    }

    /**
     * The client's address: the peer's, or, where the peer is trusted, the last one of X-Forwarded-For that no trusted
     * proxy stands behind.
     */
    String client(HttpServletRequest request) {
        String client = peer(request);
        if (trusted.isEmpty() || !isTrusted(client)) {
            return client;
        }
        List<String> hops = hops(request.getHeaders("X-Forwarded-For"));
        for (int i = hops.size() - 1; i >= 0; i--) {
            String hop = AddressRange.bare(hops.get(i));
            if (hop.isEmpty()) {
                return client;
            }
            client = hop;
            if (!isTrusted(hop)) {
                return client;
            }
        }
        return client;
    }

    private static List<String> hops(@Nullable Enumeration<String> fields) {
        List<String> hops = new ArrayList<>();
        while (fields != null && fields.hasMoreElements()) {
            for (String hop : List.of(fields.nextElement().split(",", -1))) {
                hops.add(hop.strip());
            }
        }
        return hops;
    }

    private boolean isTrusted(String address) {
        for (AddressRange range : trusted) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
