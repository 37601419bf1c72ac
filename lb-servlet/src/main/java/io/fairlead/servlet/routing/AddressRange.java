package io.fairlead.servlet.routing;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses in CIDR form ({@code 10.0.0.0/8}, {@code fd00::/8}), or a single address.
 *
 * <p>Immutable.
 */
public final class AddressRange {
    private final byte[] network;
    private final int bits;

    private AddressRange(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    /**
     * Reads a range.
     *
     * @return null when the text is none; host names are not looked up
     */
    public static @Nullable AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte[] network = address(slash < 0 ? text : text.substring(0, slash));
        if (network == null) {
            return null;
        }
        int bits = network.length * 8;
        if (slash >= 0) {
            String prefix = text.substring(slash + 1);
            if (!prefix.matches("[0-9]{1,3}") || Integer.parseInt(prefix) > bits) {
                return null;
            }
            bits = Integer.parseInt(prefix);
        }
        return new AddressRange(network, bits);
    }

    /** Whether the address, as text, lies in the range; false for what is no address. */
    public boolean contains(String address) {
        byte[] bytes = address(address);
        if (bytes == null || bytes.length != network.length) {
            return false;
        }
        int whole = bits / 8;
        for (int i = 0; i < whole; i++) {
            if (bytes[i] != network[i]) {
                return false;
            }
        }
        int rest = bits % 8;
        return rest == 0 || ((bytes[whole] ^ network[whole]) & (0xFF00 >> rest) & 0xFF) == 0;
    }

    /** An address without the brackets and the zone of an IPv6 address, and without a port. */
    public static String bare(String address) {
        String bare = address;
        if (bare.startsWith("[")) {
            int end = bare.indexOf(']');
            bare = end < 0 ? bare.substring(1) : bare.substring(1, end);
        } else if (bare.indexOf(':') >= 0 && bare.indexOf(':') == bare.lastIndexOf(':')) {
            bare = bare.substring(0, bare.indexOf(':'));
        }
        int zone = bare.indexOf('%');
        return zone < 0 ? bare : bare.substring(0, zone);
    }

    private static byte @Nullable [] address(String text) {
        boolean v6 = text.indexOf(':') >= 0;
        if (v6 ? !text.matches("[0-9A-Fa-f:.]{2,45}") : !text.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
            return null;
        }
        try {
            // In brackets, or as four numbers, it is taken as a literal or refused; it is never looked up.
            return InetAddress.getByName(v6 ? "[" + text + "]" : text).getAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
