package io.fairlead.gateway;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * A server whose requests are handled by the selectors' own threads: to hand each to a thread of the pool would cost more
 * than what is done with it. So no handler may wait; the proxy filter waits for nothing, and what stands behind it does
 * not either.
 */
final class ProxyServer extends Server {
    ProxyServer(ThreadPool threads) {
        super(threads);
    }

    /** Not that of the handlers, since a servlet context says of itself that it may block. */
    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
