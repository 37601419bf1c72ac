package io.fairlead.servlet.forward;

import io.fairlead.config.AddressRange;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;

/** Addresses that mean the machine itself, its neighbourhood, or nobody in particular. */
final class Addresses {
    /** 64:ff9b::/96 (RFC 6052). */
    private static final byte[] NAT64 = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};

    /** 64:ff9b:1::/48, which each network may use for the same in its own way (RFC 8215). */
    private static final byte[] LOCAL_NAT64 = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 1};

    /** ::ffff:0:0:0/96 (RFC 2765, 2.1). */
    private static final byte[] TRANSLATED = {0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 0, 0};

    /** Where clouds tell a machine its secrets, beside 169.254.169.254: Alibaba's, Oracle's, Azure's, Amazon's. */
    private static final Set<String> METADATA =
            Set.of("100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2:0:0:0:0:0:254");

    private Addresses() {}

    static boolean isSpecial(InetAddress address) {
        if (address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress()
                // fec0::/10 (RFC 3879); of IPv4 it means the private ranges, which are not special here.
                || (address instanceof Inet6Address && address.isSiteLocalAddress())
                || METADATA.contains(AddressRange.bare(address.getHostAddress()))) {
            return true;
        }
        byte[] bytes = address.getAddress();
        if (!(address instanceof Inet6Address)) {
            // 0.0.0.0/8 is this machine to some systems; 255.255.255.255 is everybody.
            return bytes[0] == 0 || Arrays.equals(bytes, new byte[] {-1, -1, -1, -1});
        }
        if (begins(bytes, LOCAL_NAT64)) {
            return true;
        }
        if (begins(bytes, NAT64) || begins(bytes, TRANSLATED) || isCompatible(bytes)) {
            return isSpecial(embedded(bytes, 12));
        }
        // 2002::/16 (RFC 3056).
        return bytes[0] == 0x20 && bytes[1] == 0x02 && isSpecial(embedded(bytes, 2));
    }

    private static boolean begins(byte[] address, byte[] prefix) {
        return Arrays.equals(address, 0, prefix.length, prefix, 0, prefix.length);
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
