package io.fairlead.servlet.tunnel;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Executor;

/** How a client's connection is taken over from the container that has read its request. */
public interface Takeover {
    /** Whether this request's connection can be taken over at all. */
    boolean isPossible(HttpServletRequest request);

    /**
     * Whether it is a stream of HTTP/2 that asks for a WebSocket (RFC 8441): answered with 200 where HTTP/1.1 has 101.
     */
    boolean isExtendedConnect(HttpServletRequest request);

    /**
     * Joins the connection to the tunnel, once the response, whose status and fields have been set and to which nothing
     * has been written, is completed.
     *
     * @throws IOException it is not possible, and the response can be another one
     */
    void take(HttpServletRequest request, HttpServletResponse response, Tunnel tunnel) throws IOException;

    /**
     * The way of the container.
     *
     * @param executor runs what must not run in a selector's thread
     */
    static Takeover of(ServletContext context, Executor executor) {
        String server = context.getServerInfo();
        if (server != null && server.startsWith("jetty/")) {
            return new JettyTakeover(executor);
        }
        return server != null && server.startsWith("Apache Tomcat/") ? TomcatClasses.takeover() : new NoTakeover();
    }
}
