package io.fairlead.servlet.tunnel.tomcat;

import io.fairlead.servlet.tunnel.TunnelEnd;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a tunnel that is a socket of Tomcat's. Read only by threads of Tomcat's that have been told of input: one
 * that wants to read at another time asks for such a thread.
 */
final class TomcatEnd implements TunnelEnd {
    private static final Logger log = LoggerFactory.getLogger(TomcatEnd.class);

    private final SocketWrapperBase<?> socket;
    private final AtomicReference<@Nullable Callback> writer = new AtomicReference<>();

    // Guarded by this.
    private @Nullable Callback reader;
    /** The thread that is in {@link #readable}. */
    private @Nullable Thread reading;
    /** Tomcat does not look for input until it is asked to. */
    private boolean suspended;

    private boolean closed;

    TomcatEnd(SocketWrapperBase<?> socket) {
        this.socket = socket;
    }

    /** Tomcat has handed the socket over. */
    void open() {
        // How long nothing may move is the tunnel's matter, which sees both directions.
        socket.setReadTimeout(-1);
        socket.setWriteTimeout(-1);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        synchronized (this) {
            if (reading != Thread.currentThread()) {
                return 0;
            }
        }
        int position = BufferUtil.flipToFill(into);
        try {
            return socket.read(false, into);
        } catch (EOFException e) {
            return -1;
        } finally {
            BufferUtil.flipToFlush(into, position);
        }
    }

    @Override
    public void whenReadable(Callback callback) {
        boolean ask;
        boolean late;
        synchronized (this) {
            late = closed;
            ask = suspended;
            suspended = false;
            reader = late ? null : callback;
        }
        if (late) {
            callback.failed(new ClosedChannelException());
        } else if (ask) {
            socket.processSocket(SocketEvent.OPEN_READ, true);
        }
    }

    /** There may be input. Called by a thread of Tomcat's, one at a time. */
    SocketState readable() {
        Callback waiting;
        synchronized (this) {
            waiting = reader;
            reader = null;
            reading = Thread.currentThread();
        }
        if (waiting != null) {
            waiting.succeeded();
        }
        synchronized (this) {
            reading = null;
            if (closed) {
                return SocketState.CLOSED;
            }
            suspended = reader == null;
            return suspended ? SocketState.SUSPENDED : SocketState.UPGRADED;
        }
    }

    @Override
    public void write(ByteBuffer bytes, Callback callback) {
        writer.set(callback);
        try {
            socket.write(false, bytes);
        } catch (IOException | RuntimeException e) {
            failWrite(e);
            return;
        }
        writable();
    }

    /** What Tomcat has taken and could not send at once may be sent now. */
    void writable() {
        if (writer.get() == null) {
            return;
        }
        try {
            if (socket.flush(false)) {
                socket.registerWriteInterest();
                return;
            }
        } catch (IOException | RuntimeException e) {
            failWrite(e);
            return;
        }
        Callback waiting = writer.getAndSet(null);
        if (waiting != null) {
            waiting.succeeded();
        }
    }

    private void failWrite(Throwable cause) {
        Callback waiting = writer.getAndSet(null);
        if (waiting != null) {
            waiting.failed(cause);
        }
    }

    /** Over TLS Tomcat has no way to end one direction alone, so both are ended. */
    @Override
    public void shutdownOutput() {
        if (socket.getSocket() instanceof NioChannel channel && !(channel instanceof SecureNioChannel)) {
            SocketChannel plain = channel.getIOChannel();
            try {
                if (plain != null) {
                    plain.shutdownOutput();
                    return;
                }
            } catch (IOException e) {
                log.debug("a client's connection could not be ended in one direction", e);
            }
        }
        close();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        Callback waiting;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            waiting = reader;
            reader = null;
        }
        socket.close();
        ClosedChannelException cause = new ClosedChannelException();
        if (waiting != null) {
            waiting.failed(cause);
        }
        failWrite(cause);
    }
}
