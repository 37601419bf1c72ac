package io.fairlead.agent.jetty;

import io.fairlead.Endpoint;
import io.fairlead.agent.route.Exchange;
import org.eclipse.jetty.client.Origin;
import org.jspecify.annotations.Nullable;

/**
 * An address that shows the logical name and leads to a server. Those of one server and name are equal, and equal to no
 * other address, as destinations are told apart by them.
 *
 * <p>Immutable.
 */
final class ServerAddress extends Origin.Address {
    private final String id;
    private final String server;
    private final int serverPort;
    private final @Nullable String refusal;

    private ServerAddress(String host, int port, String id, String server, int serverPort, @Nullable String refusal) {
        super(host, port);
        this.id = id;
        this.server = server;
        this.serverPort = serverPort;
        this.refusal = refusal;
    }

    /** The address of the server that an exchange goes to, under the name that the server is to see. */
    static ServerAddress of(Exchange exchange, Origin.Address logical) {
        Endpoint to = exchange.endpoint();
        return exchange.ownHost() == null
                ? new ServerAddress(logical.getHost(), logical.getPort(), to.id(), to.host(), to.port(), null)
                : new ServerAddress(to.host(), to.port(), to.id(), to.host(), to.port(), null);
    }

    /** An address to which no connection can be opened. */
    static ServerAddress refusing(Origin.Address logical, String why) {
        return new ServerAddress(logical.getHost(), logical.getPort(), "", "", 0, why);
    }

    /** The server's own host. */
    String server() {
        return server;
    }

    /** The server's own port. */
    int serverPort() {
        return serverPort;
    }

    /** Why there is no server; null: there is one. */
    @Nullable
    String refusal() {
        return refusal;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof ServerAddress) || !super.equals(other)) {
            return false;
        }
        ServerAddress that = (ServerAddress) other;
        return serverPort == that.serverPort && server.equals(that.server) && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * super.hashCode() + server.hashCode()) + serverPort;
    }
}
