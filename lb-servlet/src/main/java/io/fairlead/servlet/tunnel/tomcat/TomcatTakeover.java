package io.fairlead.servlet.tunnel.tomcat;

import io.fairlead.servlet.tunnel.Takeover;
import io.fairlead.servlet.tunnel.Tunnel;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@link HttpServletRequest#upgrade} with a handler of the kind that Tomcat hands its sockets to. */
public final class TomcatTakeover implements Takeover {
    /** Found by name, so that nothing else has to know this class. */
    public TomcatTakeover() {}

    @Override
    public boolean isPossible(HttpServletRequest request) {
        return request.getProtocol().equals("HTTP/1.1");
    }

    @Override
    public boolean isExtendedConnect(HttpServletRequest request) {
        return false;
    }

    @Override
    public void take(HttpServletRequest request, HttpServletResponse response, Tunnel tunnel) throws IOException {
        try {
            request.upgrade(TomcatHandler.class).begin(tunnel);
        } catch (ServletException | RuntimeException e) {
            throw new IOException("Tomcat does not let its connection be taken over", e);
        }
    }
}
