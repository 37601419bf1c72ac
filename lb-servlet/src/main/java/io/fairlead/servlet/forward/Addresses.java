package io.fairlead.servlet.forward;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Addresses that mean the machine itself, its neighbourhood, or nobody in particular. */
final class Addresses {
    /** 64:ff9b::/96 (RFC 6052). */
    private static final byte[] NAT64 = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};

    private Addresses() {}

    static boolean isSpecial(InetAddress address) {
        if (address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress()) {
            return true;
        }
        byte[] bytes = address.getAddress();
        if (!(address instanceof Inet6Address)) {
            // 0.0.0.0/8 is this machine to some systems; 255.255.255.255 is everybody.
            return bytes[0] == 0 || Arrays.equals(bytes, new byte[] {-1, -1, -1, -1});
        }
        if (Arrays.equals(Arrays.copyOf(bytes, NAT64.length), NAT64) || isCompatible(bytes)) {
            return isSpecial(embedded(bytes, 12));
        }
        // 2002::/16 (RFC 3056).
        return bytes[0] == 0x20 && bytes[1] == 0x02 && isSpecial(embedded(bytes, 2));
    }

    /** ::/96, the form before ::ffff:0:0/96, which Java reads as the IPv4 address that it is. */
    private static boolean isCompatible(byte[] bytes) {
        for (int i = 0; i < 12; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static InetAddress embedded(byte[] bytes, int at) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + 4));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
