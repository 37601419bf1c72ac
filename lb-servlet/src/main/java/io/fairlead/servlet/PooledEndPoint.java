package io.fairlead.servlet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server whose idle time limit holds while it waits in the pool. Jetty's client takes the limit away for
 * each request that has limits of its own, and puts it back after it: a timer cancelled and one begun, in a queue that
 * all connections share. Here the timer runs on, and means nothing while the limit is taken away.
 *
 * <p>A server may answer before it has read the whole request, and close: then writing fails, while the answer is there to
 * be read. So a failure to write is left to the reading side, which meets the answer or, after it, the same failure.
 */
final class PooledEndPoint extends SparingEndPoint {
    private final ManagedSelector watching;
    private final Consumer<PooledEndPoint> onClose;
    private volatile boolean unlimited;
    /** The server takes nothing any more. */
    private volatile boolean refused;

    /** @param onClose is told of it when it is closed */
    PooledEndPoint(
            SocketChannel channel,
            ManagedSelector selector,
            SelectionKey key,
            Scheduler scheduler,
            Consumer<PooledEndPoint> onClose) {
        super(channel, selector, key, scheduler);
        this.watching = selector;
        this.onClose = onClose;
    }

    @Override
    public void onClose(@Nullable Throwable cause) {
        onClose.accept(this);
        super.onClose(cause);
    }

    /** The connection to a server that another one, as of TLS, is laid over; null when there is none. */
    static @Nullable PooledEndPoint under(EndPoint endPoint) {
        EndPoint inner = endPoint;
        while (inner instanceof EndPoint.Wrapper wrapper) {
            inner = wrapper.unwrap();
        }
        return inner instanceof PooledEndPoint pooled ? pooled : null;
    }

    /**
     * Runs a task after everything that is ready now on the other connections of the same selector, by the thread that
     * serves them. It must not wait for anything, and is not run when the selector is stopped, which ends the connection.
     *
     * @return whether it is going to be run
     */
    boolean later(Runnable task) {
        if (!watching.isRunning()) {
            return false;
        }
        watching.submit(selector -> task.run());
        return true;
    }

    @Override
    public void setIdleTimeout(long millis) {
        unlimited = millis <= 0;
        if (!unlimited && millis != getIdleTimeout()) {
            super.setIdleTimeout(millis);
        }
    }

    @Override
    protected void onIdleExpired(TimeoutException timeout) {
        // Else it is asked again after another time of that length.
        if (!unlimited) {
            super.onIdleExpired(timeout);
        }
    }

    @Override
    public boolean flush(ByteBuffer... buffers) throws IOException {
        if (!refused) {
            try {
                return super.flush(buffers);
            } catch (IOException e) {
                if (!getChannel().isOpen() || isInputShutdown()) {
                    throw e;
                }
                refused = true;
            }
        }
        for (ByteBuffer buffer : buffers) {
            buffer.position(buffer.limit());
        }
        return true;
    }
}
