package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.SocketFactory;
import okhttp3.Dns;
import org.jspecify.annotations.Nullable;

/**
 * Leads connections for a logical host to one server: as {@link Dns} to its address, by its socket factory to its port
 * as well. Every other name goes the client's own way. Equal to itself alone, as OkHttp shares connections between calls
 * whose {@code Dns} are equal.
 *
 * <p>Safe for use from any thread.
 */
final class Pin implements Dns {
    private final String host;
    private final String serverHost;
    private final URI serverUri;
    private final Dns dns;
    private final Rerouting rerouting;
    private volatile @Nullable ProxyAnswer proxyAnswer;

    Pin(String host, Endpoint endpoint, Dns dns) {
        this.host = host;
        this.dns = dns;
        serverHost = endpoint.host();
        serverUri = endpoint.uri();
        rerouting = new Rerouting(host, this::addresses, endpoint.port(), !isLiteral(serverHost));
    }

    @Override
    public List<InetAddress> lookup(String hostname) throws UnknownHostException {
        if (!hostname.equalsIgnoreCase(host)) {
            return dns.lookup(hostname);
        }
        List<InetAddress> named = new ArrayList<>();
        for (InetAddress address : addresses()) {
            named.add(named(address));
        }
        return named;
    }

    private List<InetAddress> addresses() throws UnknownHostException {
        return isLiteral(serverHost)
                ? Collections.singletonList(InetAddress.getByName(serverHost))
                : dns.lookup(serverHost);
    }

    /** By the name the socket factory knows which of the addresses it is asked for are the server's. */
    private InetAddress named(InetAddress address) throws UnknownHostException {
        if (address instanceof Inet6Address && ((Inet6Address) address).getScopeId() != 0) {
            return Inet6Address.getByAddress(host, address.getAddress(), ((Inet6Address) address).getScopeId());
        }
        return InetAddress.getByAddress(host, address.getAddress());
    }

    /**
     * Makes sockets that connect to the server's port.
     *
     * @param limitMillis how long connecting to it may take; 0: as long as the client says
     * @param users the client's own factory
     */
    SocketFactory socketFactory(int limitMillis, SocketFactory users) {
        return new PinnedSocketFactory(rerouting, limitMillis, users);
    }

    /**
     * Whether the client reaches the server by a proxy. A selector is asked once, by the server's own URL.
     *
     * @param proxy the client's proxy; null: as the selector says
     */
    boolean isBehindProxy(@Nullable Proxy proxy, ProxySelector selector) {
        if (proxy != null) {
            return proxy.type() != Proxy.Type.DIRECT;
        }
        ProxyAnswer answer = proxyAnswer;
        if (answer == null || answer.selector != selector) {
            answer = new ProxyAnswer(selector, leadsThroughProxy(selector));
            proxyAnswer = answer;
        }
        return answer.proxied;
    }

    private boolean leadsThroughProxy(ProxySelector selector) {
        List<Proxy> proxies;
        try {
            proxies = selector.select(serverUri);
        } catch (IllegalArgumentException e) {
            // OkHttp, too, takes a selector that does not understand the URL for one that knows no proxy.
            return false;
        }
        return proxies != null && !proxies.isEmpty() && proxies.get(0).type() != Proxy.Type.DIRECT;
    }

    /** Whether OkHttp takes a host for an address, which it does not look up. */
    static boolean isLiteral(String name) {
        if (name.indexOf(':') >= 0) {
            return true;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '.' && (c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return "Pin{" + host + " -> " + serverUri + "}";
    }

    private static final class ProxyAnswer {
        final ProxySelector selector;
        final boolean proxied;

        ProxyAnswer(ProxySelector selector, boolean proxied) {
            this.selector = selector;
            this.proxied = proxied;
        }
    }
}
