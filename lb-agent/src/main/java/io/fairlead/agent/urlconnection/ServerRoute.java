package io.fairlead.agent.urlconnection;

import io.fairlead.Endpoint;
import io.fairlead.agent.bootstrap.Route;
import io.fairlead.agent.route.Exchange;

/** The route of an exchange's connection. */
final class ServerRoute extends Route {
    final Exchange exchange;

    ServerRoute(Exchange exchange, Endpoint endpoint) {
        super(endpoint.host(), endpoint.port());
        this.exchange = exchange;
    }

    void leadTo(Endpoint endpoint) {
        host = endpoint.host();
        port = endpoint.port();
    }
}
