package io.fairlead.servlet.tunnel;

import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.CyclicTimeouts;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The tunnels under way, and their time limits, watched with a single timer.
 *
 * <p>Safe for use from any thread.
 */
public final class Tunnels {
    private final Set<Tunnel> underWay = ConcurrentHashMap.newKeySet();
    private final ByteBufferPool buffers;
    private final Limits limits;
    private volatile boolean closed;

    /**
     * No tunnels yet.
     *
     * @param scheduler of the timer
     * @param buffers where their buffers come from
     */
    public Tunnels(Scheduler scheduler, ByteBufferPool buffers) {
        this.buffers = buffers;
        this.limits = new Limits(scheduler);
    }

    /**
     * A tunnel to this server, to be joined with a client's end within 10 s.
     *
     * @param idle how long nothing may move in it; zero: for ever
     * @param onEnd told once of the end: of what broke the server's connection, or null if that did not break
     */
    public Tunnel open(TunnelEnd server, Duration idle, Consumer<@Nullable Throwable> onEnd) {
        Tunnel tunnel = new Tunnel(this, server, buffers, idle, onEnd);
        underWay.add(tunnel);
        schedule(tunnel);
        if (closed) {
            tunnel.close();
        }
        return tunnel;
    }

    /** How many there are. */
    public int count() {
        return underWay.size();
    }

    void schedule(Tunnel tunnel) {
        limits.schedule(tunnel);
    }

    void remove(Tunnel tunnel) {
        underWay.remove(tunnel);
    }

    /** Closes all tunnels, and every one that is opened later. */
    public void close() {
        closed = true;
        underWay.forEach(Tunnel::close);
        limits.destroy();
    }

    private final class Limits extends CyclicTimeouts<Tunnel> {
        private Limits(Scheduler scheduler) {
            super(scheduler);
        }

        @Override
        protected Iterator<Tunnel> iterator() {
            return underWay.iterator();
        }

        @Override
        protected boolean onExpired(Tunnel tunnel) {
            tunnel.expired();
            return false;
        }
    }
}
