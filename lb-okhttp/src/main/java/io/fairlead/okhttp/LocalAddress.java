package io.fairlead.okhttp;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine's own address: that of its first network interface, read once and without a name server, which {@link
 * InetAddress#getLocalHost} would ask.
 */
final class LocalAddress {
    private static final String TEXT = find();

    private LocalAddress() {}

    /** The address as text; that of the loopback where there is no other. */
    static String text() {
        return TEXT;
    }

    private static String find() {
        String sixth = null;
        try {
            // Java 8 says null where there is none, later ones throw.
            @Nullable Enumeration<NetworkInterface> interfaces = NetworkInterface.getNetworkInterfaces();
            List<NetworkInterface> all = interfaces == null ? new ArrayList<>() : Collections.list(interfaces);
            all.sort(Comparator.comparingInt(NetworkInterface::getIndex));
            for (NetworkInterface each : all) {
                if (each.isLoopback() || each.isPointToPoint() || !each.isUp()) {
                    continue;
                }
                for (InetAddress address : Collections.list(each.getInetAddresses())) {
                    if (address instanceof Inet4Address) {
                        return address.getHostAddress();
                    }
                    if (sixth == null && !address.isLinkLocalAddress()) {
                        sixth = address.getHostAddress();
                    }
                }
            }
        } catch (SocketException e) {
            // A machine that does not let us look: the loopback it is.
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
        return sixth != null ? sixth : InetAddress.getLoopbackAddress().getHostAddress();
    }
}
