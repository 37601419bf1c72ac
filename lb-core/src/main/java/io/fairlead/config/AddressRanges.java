package io.fairlead.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Tells whether a text is an IP address or a range of them ({@code 10.0.0.0/8}), without asking DNS. */
final class AddressRanges {
    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private AddressRanges() {}

    static boolean isRange(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        int bits = IPV4.matcher(address).matches() ? 32 : isIpv6(address) ? 128 : -1;
        if (bits < 0 || slash < 0) {
            return bits > 0;
        }
        String prefix = text.substring(slash + 1);
        return prefix.matches("[0-9]{1,3}") && Integer.parseInt(prefix) <= bits;
    }

    private static boolean isIpv6(String address) {
        if (address.length() > 45 || !IPV6.matcher(address).matches()) {
            return false;
        }
        try {
            // In brackets it is taken as a literal or refused; it is never looked up.
            InetAddress.getByName("[" + address + "]");
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
