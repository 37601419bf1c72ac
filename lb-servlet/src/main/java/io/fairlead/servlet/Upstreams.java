package io.fairlead.servlet;

import io.fairlead.ServiceSettings;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The clients that speak to the servers: one for each set of time limits, since a client has only one of each. They
 * share threads, timers and buffers. Each is made when it is first needed.
 *
 * <p>Safe for use from any thread.
 */
final class Upstreams implements AutoCloseable {
    private static final int MAX_THREADS = 64;

    private final int maxConnections;
    private final ConcurrentMap<Limits, Upstream> byLimits = new ConcurrentHashMap<>();
    private final QueuedThreadPool executor;
    private final Scheduler scheduler;
    private final ByteBufferPool buffers;

    /**
     * Makes the threads; clients come later.
     *
     * @param maxConnections how many connections one server gets at the most
     * @param buffers where their buffers come from
     */
    Upstreams(int maxConnections, ByteBufferPool buffers) {
        this.maxConnections = maxConnections;
        this.buffers = buffers;
        executor = new QueuedThreadPool(MAX_THREADS, 2);
        executor.setName("fairlead-upstream");
        executor.setDaemon(true);
        scheduler = new ScheduledExecutorScheduler("fairlead-upstream-timer", true);
        try {
            executor.start();
            scheduler.start();
        } catch (Exception e) {
            close();
            throw new IllegalStateException("the proxy's threads cannot be started", e);
        }
    }

    /** The client for services with these settings. */
    Upstream of(ServiceSettings settings) {
        Limits limits = new Limits(settings.dialTimeout(), settings.idleConnTimeout());
        Upstream upstream = byLimits.get(limits);
        return upstream != null ? upstream : byLimits.computeIfAbsent(limits, this::start);
    }

    private Upstream start(Limits limits) {
        return Upstream.start(limits.dial(), limits.idle(), maxConnections, executor, scheduler, buffers);
    }

    /** Ends all connections and threads. */
    @Override
    public void close() {
        byLimits.values().forEach(Upstream::close);
        byLimits.clear();
        LifeCycle.stop(scheduler);
        LifeCycle.stop(executor);
    }

    private record Limits(Duration dial, Duration idle) {}
}
