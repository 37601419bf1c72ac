package io.fairlead.servlet.container;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The socket behind a request over HTTP/1.1, as far as Jetty and Tomcat let it be seen. */
final class ClientSocket {
    private static final Logger log = LoggerFactory.getLogger(ClientSocket.class);

    private ClientSocket() {}

    /** The socket; null where the container keeps it to itself, or shares it among requests. */
    static @Nullable SocketChannel of(ServletRequest request) {
        ServletRequest own = Internals.own(request);
        try {
            if (own.getProtocol().startsWith("HTTP/1.")) {
                if (Internals.isOfJetty(own)) {
                    return ofJetty(own);
                }
                if (Internals.isOfTomcat(own)) {
                    return ofTomcat(own);
                }
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("the socket of a request cannot be reached", e);
        }
        return null;
    }

    private static @Nullable SocketChannel ofJetty(Object request) throws ReflectiveOperationException {
        Object connection = Internals.call(
                Internals.jettysConnection(request), "org.eclipse.jetty.server.ConnectionMetaData", "getConnection");
        Object endPoint = Internals.call(connection, "org.eclipse.jetty.io.Connection", "getEndPoint");
        Class<?> wrapper = Internals.named("org.eclipse.jetty.io.EndPoint$Wrapper", endPoint);
        while (wrapper.isInstance(endPoint)) {
            endPoint = Internals.call(endPoint, wrapper, "unwrap");
        }
        return Internals.call(endPoint, "org.eclipse.jetty.io.EndPoint", "getTransport") instanceof SocketChannel socket
                ? socket
                : null;
    }

    private static @Nullable SocketChannel ofTomcat(Object facade) throws ReflectiveOperationException {
        Object wrapper = Internals.field(
                Internals.tomcatsProcessor(facade), "org.apache.coyote.AbstractProcessor", "socketWrapper");
        Object channel = Internals.call(wrapper, "org.apache.tomcat.util.net.SocketWrapperBase", "getSocket");
        return Internals.call(channel, "org.apache.tomcat.util.net.NioChannel", "getIOChannel")
                        instanceof SocketChannel socket
                ? socket
                : null;
    }

    /** Whether a socket that can be read has nothing to read: it has come to its end, or has been reset. */
    static boolean isAtEnd(SocketChannel socket) {
        try {
            return socket.socket().getInputStream().available() == 0;
        } catch (IOException e) {
            return true;
        }
    }
}
