package io.fairlead.servlet.tunnel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * The end of a tunnel that is a connection of Jetty's, of its server or of its client. Takes the connection over from
 * HTTP by {@link EndPoint#upgrade}, together with what the peer sent right behind the head.
 */
public final class EndPointEnd extends AbstractConnection implements TunnelEnd, Connection.UpgradeTo {
    private final Runnable opened;
    private ByteBuffer early = BufferUtil.EMPTY_BUFFER;

    /**
     * An end that is not open yet.
     *
     * @param executor runs what must not run in the selector's thread
     * @param opened told when the connection has been taken over
     */
    public EndPointEnd(EndPoint endPoint, Executor executor, Runnable opened) {
        super(endPoint, executor);
        this.opened = opened;
    }

    @Override
    public void onUpgradeTo(ByteBuffer behindTheHead) {
        early = BufferUtil.copy(behindTheHead);
    }

    @Override
    public void onOpen() {
        // How long nothing may move is the tunnel's matter, which sees both directions.
        getEndPoint().setIdleTimeout(0);
        super.onOpen();
        opened.run();
    }

    /** Not asked for: reads are waited for at the endpoint itself. */
    @Override
    public void onFillable() {}

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (early.hasRemaining()) {
            return BufferUtil.append(into, early);
        }
        if (!(getEndPoint() instanceof SocketChannelEndPoint socket)) {
            return getEndPoint().fill(into);
        }
        // Read off the socket itself, since Jetty's endpoint takes a reset for an end of input.
        int position = BufferUtil.flipToFill(into);
        try {
            return socket.getChannel().read(into);
        } finally {
            BufferUtil.flipToFlush(into, position);
        }
    }

    @Override
    public void whenReadable(Callback callback) {
        if (early.hasRemaining()) {
            getExecutor().execute(callback::succeeded);
        } else {
            getEndPoint().fillInterested(callback);
        }
    }

    @Override
    public void write(ByteBuffer bytes, Callback callback) {
        getEndPoint().write(callback, bytes);
    }

    @Override
    public void shutdownOutput() {
        getEndPoint().shutdownOutput();
    }

    @Override
    public void close() {
        getEndPoint().close();
    }
}
