package io.fairlead.servlet.container;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the end of a connection be a reset (TCP's RST): for HTTP/1.0, where an answer without a length has no other end
 * than that of the connection, and one that breaks off would look whole (RFC 9112, 8).
 */
public final class ClientReset {
    private static final Logger log = LoggerFactory.getLogger(ClientReset.class);

    private ClientReset() {}

    /**
     * Has the connection of a request end in a reset when the container closes it, which it is to do next. What has been
     * written and has not been sent is lost then. Nothing happens where the container keeps the socket to itself, or
     * other requests share it.
     */
    public static void onClose(ServletRequest request) {
        try {
            SocketChannel socket = ClientSocket.of(request);
            if (socket != null) {
                socket.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException | RuntimeException e) {
            log.debug("the connection of a client cannot be reset", e);
        }
    }
}
