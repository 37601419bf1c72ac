package io.fairlead.servlet;

import io.fairlead.ServiceSettings;
import io.fairlead.TransportSettings;
import io.fairlead.servlet.container.ClientWatch;
import java.time.Duration;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients that speak to the servers: one for each set of time limits and transport settings,
 * since a client has only one of each. They
 * share threads, timers and buffers. Each is made when it is first needed.
 *
 * <p>Safe for use from any thread.
 */
final class Upstreams implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private static final int MAX_THREADS = 64;
    private static final int EVICTED_A_MINUTE = 10;
    private static final Duration FORGET = Duration.ofMinutes(5);

    /** A client that leaves is seen by the third look. */
    private static final long LOOK_NANOS = 500_000_000;

    private final int maxConnections;
    private final Duration answerIdle;
    private final ConcurrentMap<Limits, Upstream> byLimits = new ConcurrentHashMap<>();
    private final QueuedThreadPool executor;
    private final Scheduler scheduler;
    private final ByteBufferPool buffers;
    private final @Nullable SharedSelectors shared;
    private final MirrorSender mirrors = new MirrorSender(this);
    private final ClientWatch clients = new ClientWatch();
    /** No longer found, and closed later: a request may have found them just before. */
    private final Queue<Upstream> retired = new ConcurrentLinkedQueue<>();

    private final Set<Exchange> reading = ConcurrentHashMap.newKeySet();

    /** What waits for its time, and must not be forgotten. */
    private final Set<Runnable> delayed = ConcurrentHashMap.newKeySet();

    private final Duration forget;

    private volatile UnaryOperator<SocketAddressResolver> names = resolver -> resolver;

    /**
     * Makes the threads; clients come later.
     *
     * @param maxConnections how many connections one server gets at the most
     * @param answerIdle how long an answer may stand still before it is broken off; zero: for ever
     * @param buffers where their buffers come from
     */
    Upstreams(int maxConnections, Duration answerIdle, ByteBufferPool buffers) {
        this(maxConnections, answerIdle, buffers, null);
    }

    /** @param shared the selectors that watch connections beside the clients' own; null: none */
    Upstreams(int maxConnections, Duration answerIdle, ByteBufferPool buffers, @Nullable SharedSelectors shared) {
        this(maxConnections, answerIdle, buffers, shared, FORGET);
    }

    /**
     * @param shared the selectors that watch connections beside the clients' own; null: none
     * @param forget after so long without requests a client is closed
     */
    Upstreams(
            int maxConnections,
            Duration answerIdle,
            ByteBufferPool buffers,
            @Nullable SharedSelectors shared,
            Duration forget) {
        this.shared = shared;
        this.forget = forget;
        this.maxConnections = maxConnections;
        this.answerIdle = answerIdle;
        this.buffers = buffers;
        executor = new QueuedThreadPool(MAX_THREADS, 2);
        // Else one thread a minute goes, and those of a burst stay for hours.
        executor.setMaxEvictCount(EVICTED_A_MINUTE);
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
        lookForForgotten();
        lookForClients();
    }

    /** Others of the same measures, with threads and clients of their own. */
    Upstreams another() {
        return new Upstreams(maxConnections, answerIdle, buffers, shared, forget);
    }

    /** Has names resolved by another resolver, which is given the usual one; called before the first client is made. */
    void resolveBy(UnaryOperator<SocketAddressResolver> newNames) {
        names = newNames;
    }

    /** The client for services with these settings. */
    Upstream of(ServiceSettings settings) {
        Limits limits = new Limits(settings.dialTimeout(), settings.idleConnTimeout(), settings.transport());
        Upstream upstream = byLimits.get(limits);
        if (upstream == null) {
            upstream = byLimits.computeIfAbsent(limits, this::start);
        }
        upstream.use();
        return upstream;
    }

    /**
     * Runs a task later, on a thread that may block.
     *
     * @return cancels it, and forgets it at once
     */
    Scheduler.Task later(Runnable task, long nanos) {
        return scheduler.schedule(() -> executor.execute(task), nanos, TimeUnit.NANOSECONDS);
    }

    /** As {@link #later}, but at once when all this is closed before: the task is to find out that there is no more to do. */
    void laterUnlessClosed(Runnable task, long nanos) {
        Runnable once = new Runnable() {
            @Override
            public void run() {
                if (delayed.remove(this)) {
                    task.run();
                }
            }
        };
        delayed.add(once);
        later(once, nanos);
        if (!clients.isOpen()) {
            once.run();
        }
    }

    /** Runs what must not run in a selector's thread. */
    QueuedThreadPool executor() {
        return executor;
    }

    /** How many connections are joined as tunnels. */
    int tunnels() {
        return byLimits.values().stream()
                .mapToInt(upstream -> upstream.tunnels().count())
                .sum();
    }

    /** Who sends the copies for mirrors. */
    MirrorSender mirrors() {
        return mirrors;
    }

    /** Settings come and go with the configuration; the clients of those that are gone are not kept. */
    private void closeForgotten() {
        try {
            retired.removeIf(upstream -> {
                boolean due = upstream.isForgotten(forget);
                if (due) {
                    close(upstream);
                }
                return due;
            });
            byLimits.forEach((limits, upstream) -> {
                if (upstream.isForgotten(forget) && byLimits.remove(limits, upstream)) {
                    retired.add(upstream);
                }
            });
        } finally {
            lookForForgotten();
        }
    }

    /** One that cannot be closed is let go all the same: it would keep those after it, now and the next time. */
    private static void close(Upstream upstream) {
        try {
            upstream.close();
        } catch (RuntimeException e) {
            log.warn("an HTTP client of the proxy's could not be closed", e);
        }
    }

    private void lookForForgotten() {
        later(this::closeForgotten, forget.toNanos() / 5);
    }

    private void lookAtClients() {
        if (!clients.isOpen()) {
            return;
        }
        try {
            // One that races has several tries.
            Set<Exchange> waiting = new HashSet<>(reading);
            byLimits.values().forEach(upstream -> addWaiting(upstream, waiting));
            retired.forEach(upstream -> addWaiting(upstream, waiting));
            clients.look(waiting);
            reading.removeIf(Exchange::isOver);
        } finally {
            lookForClients();
        }
    }

    private static void addWaiting(Upstream upstream, Set<Exchange> waiting) {
        upstream.limits().tries().forEach(each -> waiting.add(each.exchange()));
    }

    /** An exchange waits for its client's body before a server is chosen; it is forgotten when it ends. */
    void reads(Exchange exchange) {
        reading.add(exchange);
    }

    /** It has a server, or is about to. */
    void hasRead(Exchange exchange) {
        reading.remove(exchange);
    }

    /** Whose clients have left. */
    private void lookForClients() {
        later(this::lookAtClients, LOOK_NANOS);
    }

    private Upstream start(Limits limits) {
        return Upstream.start(
                limits.dial(),
                limits.idle(),
                limits.transport(),
                answerIdle,
                maxConnections,
                executor,
                scheduler,
                buffers,
                shared,
                names);
    }

    /** Ends all connections and threads. */
    @Override
    public void close() {
        mirrors.close();
        clients.close();
        delayed.forEach(Runnable::run);
        byLimits.values().forEach(Upstreams::close);
        byLimits.clear();
        retired.forEach(Upstreams::close);
        LifeCycle.stop(scheduler);
        LifeCycle.stop(executor);
    }

    private record Limits(Duration dial, Duration idle, TransportSettings transport) {}
}
