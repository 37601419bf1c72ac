package io.fairlead.config;

import org.jspecify.annotations.Nullable;

/**
 * {@code http.forwardedHeaders}: whose word is taken for where a request came from, and what is told beside the
 * X-Forwarded fields.
 *
 * <p>Immutable.
 */
public final class ForwardedHeadersSpec {
    /** Nobody is trusted, and no more is told. */
    public static final ForwardedHeadersSpec NONE = new ForwardedHeadersSpec(AddressRanges.NONE, null, false);

    private final AddressRanges trusted;
    private final @Nullable String via;
    private final boolean forwarded;

    private ForwardedHeadersSpec(AddressRanges trusted, @Nullable String via, boolean forwarded) {
        this.trusted = trusted;
        this.via = via;
        this.forwarded = forwarded;
    }

    static ForwardedHeadersSpec read(ConfigNode node) {
        node.allow("trustedIPs", "via", "forwarded");
        AddressRanges trusted = AddressRanges.read(node.get("trustedIPs"));
        String via = node.get("via").string();
        if (via != null && !isPseudonym(via)) {
            node.get("via")
                    .problem("must be a name of letters, digits and !#$%&'*+-.^_`|~, or a host with a port, not "
                            + Quote.of(via));
            via = null;
        }
        return new ForwardedHeadersSpec(trusted, via, node.get("forwarded").bool(false));
    }

    /** The addresses of the proxies that are believed. */
    public AddressRanges trusted() {
        return trusted;
    }

    /** The name that this proxy has in {@code Via} (RFC 9110, 7.6.3); null: the field is not added. */
    public @Nullable String via() {
        return via;
    }

    /** Whether {@code Forwarded} (RFC 7239) is sent. */
    public boolean forwarded() {
        return forwarded;
    }

    /** A token (RFC 9110, 5.6.2), or such with a port. */
    private static boolean isPseudonym(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
                return false;
            }
        }
        return !name.isEmpty() && (colon < 0 || text.substring(colon + 1).matches("[0-9]{1,5}"));
    }
}
