package io.fairlead.servlet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose socket is not asked in vain. Jetty reads on until a read yields nothing, and only then lets the
 * selector watch: one system call, or two, for nothing after every message that is shorter than its buffer. A read that
 * left room has most likely emptied the socket: the next one yields nothing by itself, and whoever reads asks to be told
 * of more. What has come meanwhile is not lost by that, nor late: a selector tells of what there is to be read, not only of
 * what comes.
 *
 * <p>After a long read the socket is asked all the same, since the rest of a body is likely to be on its way.
 *
 * <p>For connectors that are set up by code. Safe for use as its superclass is: one thread reads at a time.
 */
public class SparingEndPoint extends SocketChannelEndPoint {
    /** Of more than this, more is expected. */
    private static final int LONG_BYTES = 4 * 1024;

    /** Of the thread that reads; the selector's sets it back before it has anybody read. */
    private boolean emptied;

    /** As that of the superclass. */
    public SparingEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
        super(channel, selector, key, scheduler);
    }

    /**
     * Reads what there is.
     *
     * @return how many bytes; 0: none, or none is expected, and the selector is to be asked to watch; -1: the input has
     *     ended
     */
    @Override
    public int fill(ByteBuffer buffer) throws IOException {
        if (emptied && isOpen() && !isInputShutdown()) {
            return 0;
        }
        int filled = super.fill(buffer);
        emptied = filled > 0 && filled < LONG_BYTES && buffer.limit() < buffer.capacity();
        return filled;
    }

    /** There is something to be read again; called by the selector's thread. */
    @Override
    public @Nullable Runnable onSelected() {
        emptied = false;
        return super.onSelected();
    }
}
