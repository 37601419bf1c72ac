package io.fairlead.servlet.tunnel;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.CyclicTimeouts;
import org.jspecify.annotations.Nullable;

/**
 * A client's and a server's connection joined: what comes from one goes to the other, byte for byte, until both have
 * ended, one breaks, or nothing has moved for too long.
 *
 * <p>When one direction has ended, the other goes on: for as long as something moves at least once a minute where the
 * client has ended its own, and every five seconds where the server has, which then mostly has gone.
 *
 * <p>Safe for use from any thread.
 */
public final class Tunnel implements CyclicTimeouts.Expirable, Pump.Listener {
    private static final Duration TO_JOIN = Duration.ofSeconds(10);
    private static final Duration WITHOUT_CLIENT = Duration.ofMinutes(1);
    private static final Duration WITHOUT_SERVER = Duration.ofSeconds(5);

    private final Tunnels tunnels;
    private final TunnelEnd server;
    private final ByteBufferPool buffers;
    private final Consumer<@Nullable Throwable> onEnd;
    private volatile long deadline;
    /** How long nothing may move; zero: for ever. */
    private volatile Duration idle;

    // Guarded by this.
    private @Nullable TunnelEnd client;
    private @Nullable Pump up;
    private @Nullable Pump down;
    private boolean halfClosed;
    private boolean ended;

    Tunnel(
            Tunnels tunnels,
            TunnelEnd server,
            ByteBufferPool buffers,
            Duration idle,
            Consumer<@Nullable Throwable> onEnd) {
        this.tunnels = tunnels;
        this.server = server;
        this.buffers = buffers;
        this.idle = idle;
        this.onEnd = onEnd;
        this.deadline = in(TO_JOIN);
    }

    /** Joins the client's end to the server's: from here on bytes go through. Closes it if the tunnel has ended. */
    public void join(TunnelEnd clientEnd) {
        Pump toServer = new Pump(clientEnd, server, buffers, this);
        Pump toClient = new Pump(server, clientEnd, buffers, this);
        boolean late;
        synchronized (this) {
            late = ended || client != null;
            if (!late) {
                client = clientEnd;
                up = toServer;
                down = toClient;
            }
        }
        if (late) {
            clientEnd.close();
            return;
        }
        moved();
        tunnels.schedule(this);
        toClient.run();
        toServer.run();
    }

    /** How many bytes the server has been passed of what the client sent. */
    public long bytesToServer() {
        return passedOn(true);
    }

    /** How many bytes the client has been passed of what the server sent. */
    public long bytesToClient() {
        return passedOn(false);
    }

    private synchronized long passedOn(boolean toServer) {
        Pump pump = toServer ? up : down;
        return pump == null ? 0 : pump.passedOn();
    }

    @Override
    public void moved() {
        deadline = in(idle);
    }

    @Override
    public void ended(Pump pump) {
        boolean second;
        synchronized (this) {
            second = halfClosed;
            halfClosed = true;
            Duration most = pump == up ? WITHOUT_CLIENT : WITHOUT_SERVER;
            if (idle.isZero() || idle.compareTo(most) > 0) {
                idle = most;
            }
        }
        if (second) {
            end(null);
        } else {
            moved();
            tunnels.schedule(this);
        }
    }

    @Override
    public void failed(Pump pump, Throwable cause, boolean reading) {
        boolean servers;
        synchronized (this) {
            servers = (pump == up) != reading;
        }
        end(servers ? cause : null);
    }

    /** Closes both ends, now; nothing happens when the tunnel has ended. */
    public void close() {
        end(null);
    }

    @Override
    public long getExpireNanoTime() {
        return deadline;
    }

    /** Nothing has moved for too long, or the client's end never came. */
    void expired() {
        end(null);
    }

    /**
     * Ends the tunnel.
     *
     * @param byServer what the server's connection failed with; null: it did not
     */
    private void end(@Nullable Throwable byServer) {
        TunnelEnd joined;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            joined = client;
        }
        server.close();
        if (joined != null) {
            joined.close();
        }
        tunnels.remove(this);
        onEnd.accept(byServer instanceof IOException ? byServer : null);
    }

    private static long in(Duration time) {
        return CyclicTimeouts.Expirable.calcExpireNanoTime(time.toMillis());
    }
}
