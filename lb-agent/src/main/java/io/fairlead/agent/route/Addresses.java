package io.fairlead.agent.route;

import io.fairlead.Endpoint;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Addresses of servers under logical names. */
public final class Addresses {
    private Addresses() {}

    /**
     * The server's address under another name, which then is the name for SNI, certificate check and messages. Asks the
     * JVM's resolver where the server's host is a name: for threads that may wait.
     *
     * @param name the logical one
     * @throws UnknownHostException the server's name is not known; the message has the logical one
     */
    public static InetAddress named(String name, Endpoint server) throws UnknownHostException {
        try {
            return named(name, InetAddress.getByName(server.host()));
        } catch (UnknownHostException e) {
            UnknownHostException seen = new UnknownHostException(name);
            seen.initCause(e);
            throw seen;
        }
    }

    /**
     * The same where the host is an address already; asks nobody.
     *
     * @return null: it is a name
     */
    public static @Nullable InetAddress literal(String name, String host) throws UnknownHostException {
        return isLiteral(host) ? named(name, InetAddress.getByName(host)) : null;
    }

    /** The same address under another name. */
    public static InetAddress named(String name, InetAddress address) throws UnknownHostException {
        if (address instanceof Inet6Address && ((Inet6Address) address).getScopeId() != 0) {
            return Inet6Address.getByAddress(name, address.getAddress(), ((Inet6Address) address).getScopeId());
        }
        return InetAddress.getByAddress(name, address.getAddress());
    }

    private static boolean isLiteral(String host) {
        if (host.indexOf(':') >= 0) {
            return true;
        }
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c != '.' && (c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }
}
