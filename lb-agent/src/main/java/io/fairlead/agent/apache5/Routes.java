package io.fairlead.agent.apache5;

import io.fairlead.Endpoint;
import io.fairlead.agent.route.Addresses;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.core5.http.HttpHost;

/** Routes that lead to a server. */
final class Routes {
    private Routes() {}

    /**
     * A route to a server in the place of a logical one.
     *
     * @param own whether the server's own name is shown to it, in the TLS handshake too
     * @throws UnknownHostException the server's name is not known; the message has the logical one
     */
    static HttpRoute to(Endpoint server, HttpRoute logical, boolean own) throws UnknownHostException {
        HttpHost target = logical.getTargetHost();
        String name = own ? server.host() : target.getHostName();
        HttpHost host = new HttpHost(
                target.getSchemeName(), Addresses.named(target.getHostName(), server), name, server.port());
        return new HttpRoute(host, logical.getLocalAddress(), logical.isSecure());
    }
}
