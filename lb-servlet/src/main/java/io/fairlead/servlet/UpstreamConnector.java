package io.fairlead.servlet;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections to servers. Each is watched by the selector that served the thread that has asked for it, where
 * selectors are shared, and by one of the client's own else, which have also watched until it was there.
 */
final class UpstreamConnector extends ClientConnector {
    /** What the context of a connection calls the selector that it is meant for. */
    private static final String SELECTOR = UpstreamConnector.class.getName() + ".selector";

    private final @Nullable SharedSelectors shared;
    /** Those that others' selectors watch, which the end of our own does not close. */
    private final Set<PooledEndPoint> moved = ConcurrentHashMap.newKeySet();

    private volatile boolean ended;

    /** @param shared null: the client's selectors watch all */
    UpstreamConnector(@Nullable SharedSelectors shared) {
        this.shared = shared;
    }

    /** The same resolver, which notes who has asked: that is the last to be called in the thread that has. */
    SocketAddressResolver noting(SocketAddressResolver resolver) {
        SharedSelectors selectors = shared;
        if (selectors == null) {
            return resolver;
        }
        return (host, port, context, promise) -> {
            ManagedSelector selector = selectors.ofThread();
            if (selector != null) {
                context.put(SELECTOR, selector);
            }
            resolver.resolve(host, port, context, promise);
        };
    }

    @Override
    protected EndPoint newEndPoint(SelectableChannel channel, ManagedSelector selector, SelectionKey key) {
        if (!(channel instanceof SocketChannel socket)) {
            return super.newEndPoint(channel, selector, key);
        }
        if (key.attachment() instanceof Map<?, ?> context && context.get(SELECTOR) instanceof ManagedSelector other) {
            EndPoint there = move(socket, selector, key, other);
            if (there != null) {
                return there;
            }
        }
        return new PooledEndPoint(socket, selector, key, getScheduler(), closed -> {});
    }

    @Override
    protected void doStop() throws Exception {
        ended = true;
        super.doStop();
        moved.forEach(EndPoint::close);
    }

    /** From the selector that has watched it until now to another; null when that one has been stopped. */
    private @Nullable EndPoint move(SocketChannel channel, ManagedSelector from, SelectionKey key, ManagedSelector to) {
        Selector selector = to.getSelector();
        if (selector == null) {
            return null;
        }
        try {
            SelectionKey newKey = channel.register(selector, 0);
            PooledEndPoint endPoint = new PooledEndPoint(channel, to, newKey, getScheduler(), moved::remove);
            newKey.attach(endPoint);
            if (!to.isRunning()) {
                // It may have been stopped before it knew of this connection.
                newKey.cancel();
                return null;
            }
            moved.add(endPoint);
            key.cancel();
            // A channel is not closed before each of its selectors has forgotten it: the old one is to do it now.
            from.submit(unused -> {});
            if (ended) {
                endPoint.close();
            }
            return endPoint;
        } catch (ClosedSelectorException | ClosedChannelException e) {
            return null;
        }
    }
}
