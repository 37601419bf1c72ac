package io.fairlead.servlet.tunnel;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jetty's own way, by a request attribute, since its {@link HttpServletRequest#upgrade} ends at once for a GET. Looks
 * Jetty's server classes up by name: they are others for each version of the Servlet API, and a web application is kept
 * from them by default.
 */
final class JettyTakeover implements Takeover {
    private static final Logger log = LoggerFactory.getLogger(JettyTakeover.class);
    private static final String UPGRADE = "org.eclipse.jetty.server.HttpStream.upgradeConnection";
    private static final String WEBSOCKET = "websocket";

    private final Executor executor;

    JettyTakeover(Executor executor) {
        this.executor = executor;
    }

    @Override
    public boolean isPossible(HttpServletRequest request) {
        return endPoint(request) != null;
    }

    @Override
    public boolean isExtendedConnect(HttpServletRequest request) {
        Object support = tunnelSupport(request);
        return support != null && WEBSOCKET.equals(call(support, "TunnelSupport", "getProtocol"));
    }

    @Override
    public void take(HttpServletRequest request, HttpServletResponse response, Tunnel tunnel) throws IOException {
        Object endPoint = endPoint(request);
        if (endPoint == null) {
            throw new IOException("Jetty does not let its connection be taken over");
        }
        Joining joining = new Joining(tunnel);
        if (endPoint instanceof EndPoint own) {
            EndPointEnd end = new EndPointEnd(own, executor, joining);
            joining.end = end;
            request.setAttribute(UPGRADE, end);
            return;
        }
        try {
            ForeignEnd end = new ForeignEnd(endPoint, executor, joining);
            joining.end = end;
            request.setAttribute(UPGRADE, end.connection());
        } catch (ReflectiveOperationException e) {
            throw new IOException("Jetty does not let its connection be taken over", e);
        }
    }

    private static @Nullable Object endPoint(HttpServletRequest request) {
        Object support = tunnelSupport(request);
        return support == null ? null : call(support, "TunnelSupport", "getEndPoint");
    }

    private static @Nullable Object tunnelSupport(HttpServletRequest request) {
        ServletRequest own = request;
        while (own instanceof ServletRequestWrapper wrapper) {
            own = wrapper.getRequest();
        }
        try {
            Object core = own.getClass().getMethod("getRequest").invoke(own);
            return core == null ? null : call(core, "Request", "getTunnelSupport");
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("Jetty's own request cannot be reached", e);
            return null;
        }
    }

    private static @Nullable Object call(Object object, String type, String method) {
        try {
            return Class.forName(
                            "org.eclipse.jetty.server." + type,
                            false,
                            object.getClass().getClassLoader())
                    .getMethod(method)
                    .invoke(object);
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("Jetty's {} has no {}", type, method, e);
            return null;
        }
    }

    private static final class Joining implements Runnable {
        private final Tunnel tunnel;
        private volatile @Nullable TunnelEnd end;

        private Joining(Tunnel tunnel) {
            this.tunnel = tunnel;
        }

        @Override
        public void run() {
            TunnelEnd opened = end;
            if (opened != null) {
                tunnel.join(opened);
            }
        }
    }
}
