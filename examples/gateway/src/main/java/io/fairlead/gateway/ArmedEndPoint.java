package io.fairlead.gateway;

import io.fairlead.servlet.SparingEndPoint;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection that the selector goes on watching while a request is under way. The superclass takes its interest
 * back with each read and registers it anew for the next: two system calls, and, where another thread ends the answer than
 * has read the request, a selector that is woken up for it. But a client says nothing more before it has its answer, or
 * else it is not to be heard: only then is the interest taken back.
 */
final class ArmedEndPoint extends SparingEndPoint {
    private SelectionKey key;
    /**
     * Whether the selector watches for something to read. Set before the superclass is told to watch, and unset after it
     * has been told not to; in either case whether somebody wants to read is looked at on the other side of it, so that
     * nobody is left to wait for a selector that does not watch.
     */
    private volatile boolean armed;

    ArmedEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
        super(channel, selector, key, scheduler);
        this.key = key;
    }

    @Override
    public void replaceKey(SelectionKey newKey) {
        super.replaceKey(newKey);
        key = newKey;
    }

    @Override
    protected void needsFillInterest() {
        if (!armed) {
            arm();
        }
    }

    private void arm() {
        armed = true;
        super.needsFillInterest();
    }

    /** By the selector's thread, and before {@link #updateKey()}, which is the one to tell the operating system. */
    @Override
    public @Nullable Runnable onSelected() {
        Runnable task = super.onSelected();
        if (!key.isReadable()) {
            return task;
        }
        armed = false;
        if (isFillInterested()) {
            arm();
            return task;
        }
        return key.isWritable() ? task : null;
    }
}
