package io.fairlead;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's own address, which to the adapters of clients is the client's address of every request. Looked for once,
 * at the first use, among the network interfaces: {@link InetAddress#getLocalHost} would ask a name server on a request's
 * path.
 */
public final class LocalAddress {
    private LocalAddress() {}

    /**
     * The address as text: of the first interface that leads elsewhere, IPv4 before IPv6; that of the loopback where there
     * is no other, or the machine does not let us look.
     */
    public static String text() {
        return Holder.TEXT;
    }

    private static final class Holder {
        static final String TEXT = find();

        private static String find() {
            InetAddress sixth = null;
            try {
                for (NetworkInterface each : interfaces()) {
                    if (each.isLoopback() || each.isPointToPoint() || !each.isUp()) {
                        continue;
                    }
                    for (InetAddress address : Collections.list(each.getInetAddresses())) {
                        if (address instanceof Inet4Address) {
                            return address.getHostAddress();
                        }
                        if (sixth == null && !address.isLinkLocalAddress()) {
                            sixth = address;
                        }
                    }
                }
            } catch (SocketException | SecurityException e) {
                Logger log = LoggerFactory.getLogger(LocalAddress.class);
                log.debug("the machine's address is not known", e);
            }
            return (sixth == null ? InetAddress.getLoopbackAddress() : sixth).getHostAddress();
        }

        private static List<NetworkInterface> interfaces() throws SocketException {
            // Java 8 says null where there is none, later ones throw.
            @Nullable Enumeration<NetworkInterface> all = NetworkInterface.getNetworkInterfaces();
            List<NetworkInterface> list = all == null ? new ArrayList<>() : Collections.list(all);
            list.sort(Comparator.comparingInt(NetworkInterface::getIndex));
            return list;
        }
    }
}
