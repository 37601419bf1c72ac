package io.fairlead.config;

import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses in CIDR form ({@code 10.0.0.0/8}, {@code fd00::/8}), or a single address. An IPv4 address
 * that is written as an IPv6 one ({@code ::ffff:10.0.0.1}) is the IPv4 address. Nothing is ever looked up.
 *
 * <p>Immutable.
 */
public final class AddressRange {
    private static final int MAPPED_BITS = 96;

    private final byte[] network;
    private final int bits;

    private AddressRange(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    /**
     * Reads a range. Bits behind the prefix do not matter: {@code 10.1.2.3/8} is {@code 10.0.0.0/8}.
     *
     * @return null when the text is none
     */
    public static @Nullable AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] literal = IpAddress.literal(address);
        byte[] network = IpAddress.parse(address);
        if (literal == null || network == null) {
            return null;
        }
        int bits = slash < 0 ? literal.length * 8 : prefix(text.substring(slash + 1), literal.length * 8);
        if (literal.length != network.length) {
            bits = bits < MAPPED_BITS ? -1 : bits - MAPPED_BITS;
        }
        return bits < 0 ? null : new AddressRange(network, bits);
    }

    private static int prefix(String text, int max) {
        if (text.isEmpty() || text.length() > 3) {
            return -1;
        }
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            bits = bits * 10 + (c - '0');
        }
        return bits <= max ? bits : -1;
    }

    /** Whether the address, as text without port, brackets and zone, lies in the range; false for what is no address. */
    public boolean contains(String address) {
        byte[] bytes = IpAddress.parse(address);
        return bytes != null && contains(bytes);
    }

    boolean contains(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        int whole = bits / 8;
        for (int i = 0; i < whole; i++) {
            if (address[i] != network[i]) {
                return false;
            }
        }
        int rest = bits % 8;
        return rest == 0 || ((address[whole] ^ network[whole]) & (0xFF00 >> rest) & 0xFF) == 0;
    }

    /** Whether the text is an IP address, without port, brackets and zone. */
    public static boolean isAddress(String text) {
        return IpAddress.parse(text) != null;
    }

    /** An address without the brackets and the zone of an IPv6 address, and without a port. */
    public static String bare(String address) {
        String bare = address;
        if (bare.startsWith("[")) {
            int end = bare.indexOf(']');
            bare = end < 0 ? bare.substring(1) : bare.substring(1, end);
        } else {
            int colon = bare.indexOf(':');
            if (colon >= 0 && colon == bare.lastIndexOf(':')) {
                bare = bare.substring(0, colon);
            }
        }
        int zone = bare.indexOf('%');
        return zone < 0 ? bare : bare.substring(0, zone);
    }

    /**
     * The first address of the IPv6 network that an address lies in, so that all addresses of one customer count as one.
     *
     * @param bits the length of the network's prefix, from 1 to 128
     * @return the text as it is when it is not an IPv6 address
     */
    public static String networkOf(String address, int bits) {
        byte[] bytes = IpAddress.parse(address);
        if (bytes == null || bytes.length == 4) {
            return address;
        }
        StringBuilder network = new StringBuilder(39);
        for (int i = 0; i < bytes.length; i += 2) {
            int group = (masked(bytes[i], bits - i * 8) << 8) | masked(bytes[i + 1], bits - (i + 1) * 8);
            network.append(i == 0 ? "" : ":").append(Integer.toHexString(group));
        }
        return network.toString();
    }

    private static int masked(byte b, int bitsLeft) {
        int kept = Math.max(0, Math.min(8, bitsLeft));
        return b & (0xFF00 >> kept) & 0xFF;
    }
}
