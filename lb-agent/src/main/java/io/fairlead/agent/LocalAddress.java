package io.fairlead.agent;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * The machine's own address, which is the client's address of every call: looked for at the first use, among the
 * network interfaces, since a name server is not to be asked on a request's path.
 */
public final class LocalAddress {
    private LocalAddress() {}

    /** The address as text: of the first interface that leads elsewhere, IPv4 before IPv6, else the loopback's. */
    public static String text() {
        return Holder.TEXT;
    }

    private static final class Holder {
        static final String TEXT = find();

        private static String find() {
            InetAddress best = null;
            try {
                Enumeration<NetworkInterface> all = NetworkInterface.getNetworkInterfaces();
                while (all != null && all.hasMoreElements() && !(best instanceof Inet4Address)) {
                    InetAddress candidate = best(all.nextElement());
                    best = candidate != null && (best == null || candidate instanceof Inet4Address) ? candidate : best;
                }
            } catch (SocketException | SecurityException e) {
                Log.debug("the machine's address is not known: " + e);
            }
            return (best == null ? InetAddress.getLoopbackAddress() : best).getHostAddress();
        }

        private static @Nullable InetAddress best(NetworkInterface each) throws SocketException {
            if (!each.isUp() || each.isLoopback()) {
                return null;
            }
            InetAddress best = null;
            for (InterfaceAddress bound : each.getInterfaceAddresses()) {
                InetAddress address = bound.getAddress();
                if (address instanceof Inet4Address) {
                    return address;
                }
                best = address.isLinkLocalAddress() ? best : address;
            }
            return best;
        }
    }
}
