package io.fairlead.servlet.tunnel.tomcat;

import io.fairlead.servlet.tunnel.Tunnel;
import jakarta.servlet.http.WebConnection;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SSLSupport;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Made by Tomcat, of a public class without arguments, and given its socket when the response is out. One of this kind
 * may tell Tomcat not to look at the socket for a while; others are told of input that they cannot take, again and again.
 */
public final class TomcatHandler implements InternalHttpUpgradeHandler {
    private volatile @Nullable Tunnel tunnel;
    private volatile @Nullable TomcatEnd end;

    /** For Tomcat. */
    public TomcatHandler() {}

    /** Called before the response is completed. */
    void begin(Tunnel joined) {
        tunnel = joined;
    }

    @Override
    public void setSocketWrapper(SocketWrapperBase<?> wrapper) {
        end = new TomcatEnd(wrapper);
    }

    @Override
    public void init(WebConnection connection) {
        Tunnel joined = tunnel;
        TomcatEnd opened = end;
        if (joined == null || opened == null) {
            throw new IllegalStateException("Tomcat began a handler before it was ready");
        }
        opened.open();
        joined.join(opened);
    }

    @Override
    public SocketState upgradeDispatch(SocketEvent event) {
        TomcatEnd opened = end;
        if (opened == null) {
            return SocketState.CLOSED;
        }
        switch (event) {
            case OPEN_READ -> {
                return opened.readable();
            }
            case OPEN_WRITE -> {
                opened.writable();
                return opened.isClosed() ? SocketState.CLOSED : SocketState.UPGRADED;
            }
            default -> {
                destroy();
                return SocketState.CLOSED;
            }
        }
    }

    /** The connection has been closed. */
    @Override
    public void destroy() {
        TomcatEnd opened = end;
        if (opened != null) {
            opened.close();
        }
        Tunnel joined = tunnel;
        if (joined != null) {
            joined.close();
        }
    }

    @Override
    public void pause() {}

    @Override
    public void timeoutAsync(long now) {}

    @Override
    public void setSslSupport(SSLSupport ssl) {}
}
