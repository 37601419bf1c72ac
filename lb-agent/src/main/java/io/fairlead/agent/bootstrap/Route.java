package io.fairlead.agent.bootstrap;

/** Where one connection is to go; the agent extends it by what it needs to know of the call. */
public abstract class Route {
    /** The server's host, which the JDK resolves. */
    public String host;
    /** The server's port. */
    public int port;

    /** A route that leads to a server. */
    protected Route(String host, int port) {
        this.host = host;
        this.port = port;
    }
}
