package io.fairlead.agent.okhttp;

import io.fairlead.Endpoint;
import io.fairlead.agent.route.Addresses;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Dns;
import org.jspecify.annotations.Nullable;

/**
 * Leads a logical name to one server: by the client's own resolver, and under the logical name. Those of one server, name
 * and resolver are equal, as OkHttp shares connections between addresses whose {@code Dns} are.
 *
 * <p>Immutable.
 */
final class ServerDns implements Dns {
    private final String name;
    private final String host;
    private final int port;
    private final Dns users;

    ServerDns(String name, Endpoint server, Dns users) {
        this.name = name;
        this.users = users;
        host = server.host();
        port = server.port();
    }

    int port() {
        return port;
    }

    @Override
    public List<InetAddress> lookup(String hostname) throws UnknownHostException {
        List<InetAddress> found = new ArrayList<>();
        InetAddress literal = Addresses.literal(name, host);
        if (literal != null) {
            found.add(literal);
            return found;
        }
        try {
            for (InetAddress address : users.lookup(host)) {
                found.add(Addresses.named(name, address));
            }
        } catch (UnknownHostException e) {
            UnknownHostException seen = new UnknownHostException(name);
            seen.initCause(e);
            throw seen;
        }
        return found;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof ServerDns)) {
            return false;
        }
        ServerDns that = (ServerDns) other;
        return port == that.port && host.equals(that.host) && name.equals(that.name) && users.equals(that.users);
    }

    @Override
    public int hashCode() {
        return 31 * host.hashCode() + port;
    }

    @Override
    public String toString() {
        return name + " at " + host + " " + port;
    }
}
