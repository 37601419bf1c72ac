package io.fairlead.health;

import io.fairlead.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks servers over sockets, any number of them by one thread: no check holds a thread while it waits for a server.
 *
 * <p>At most {.value #MAX_OPEN} checks have a socket at a time, and at most {@value #MAX_SLOW} of those go to servers
 * whose last check ran out of time. The others wait for their turn, and their time begins with it. So servers that hang
 * wait behind servers that hang, and all others have {.value #MAX_OPEN} − {@value #MAX_SLOW} sockets to themselves
 * whatever happens. Names are looked up on threads of their own, each name once at a time.
 *
 * <p>Safe for use from any thread.
 */
public final class SocketProber implements Prober, AutoCloseable {
    static final int MAX_OPEN = 256;
    static final int MAX_SLOW = 64;

    private final Executor loop;
    private final Executor work;
    private final Executor names;

    private final Queue<Probe> arrived = new ConcurrentLinkedQueue<>();
    /** Checks that have begun and have no verdict; the loop runs while there are any. */
    private final AtomicInteger unfinished = new AtomicInteger();

    private final Map<String, CompletableFuture<InetAddress>> lookups = new ConcurrentHashMap<>();

    private volatile @Nullable Selector selector;
    private volatile boolean closed;

    // Of the loop's thread.
    private final Queue<Probe> waiting = new ArrayDeque<>();
    private final Queue<Probe> waitingSlow = new ArrayDeque<>();
    private final Set<Probe> opened = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Those that have ended stay until their time is over. */
    private final PriorityQueue<Probe> byDeadline = new PriorityQueue<>((a, b) -> Long.signum(a.deadline - b.deadline));

    private int slowOpened;
    private int ended;

    /**
     * A prober without any threads of its own.
     *
     * @param loop runs a task that waits for the sockets, while there are checks under way; one at a time is enough
     * @param work runs what takes time: TLS, patterns, and what follows on a verdict
     * @param names looks up names of hosts
     */
    public SocketProber(Executor loop, Executor work, Executor names) {
        this.loop = loop;
        this.work = work;
        this.names = names;
    }

    @Override
    public void probe(Endpoint endpoint, HealthCheck check, boolean slow, Consumer<Verdict> done) {
        Probe probe = new Probe(endpoint, check, slow, done);
        // Counted before it can be seen: the loop must not end with a check that it has opened.
        boolean first = unfinished.getAndIncrement() == 0;
        arrived.add(probe);
        if (first) {
            startLoop();
        } else {
            wakeUp();
        }
    }

    /** Ends the checks that are under way, without verdicts; later ones get none either. */
    @Override
    public void close() {
        closed = true;
        wakeUp();
    }

    private void wakeUp() {
        Selector waitingFor = selector;
        if (waitingFor != null) {
            waitingFor.wakeup();
        }
    }

    private void startLoop() {
        try {
            loop.execute(this::run);
        } catch (RuntimeException | Error e) {
            // No thread is to be had. What belongs to the loop's is nobody's meanwhile: who else comes finds this
            // check.
            failAll(e);
        }
    }

    private void run() {
        try (Selector open = Selector.open()) {
            selector = open;
            while (!closed) {
                turn(open);
                int now = ended;
                ended = 0;
                if (unfinished.addAndGet(-now) == 0) {
                    return;
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            failAll(e);
        } finally {
            selector = null;
            opened.forEach(SocketProber::close);
        }
    }

    /** The machine gives no sockets, or no memory: nothing can be said of any server, so none has passed. */
    private void failAll(Throwable e) {
        Probe probe = arrived.poll();
        while (probe != null) {
            (probe.slow ? waitingSlow : waiting).add(probe);
            probe = arrived.poll();
        }
        List<Probe> all = new ArrayList<>(opened);
        all.addAll(waiting);
        all.addAll(waitingSlow);
        waiting.clear();
        waitingSlow.clear();
        all.forEach(each -> finish(each, each.verdict(e)));
        int now = ended;
        ended = 0;
        if (unfinished.addAndGet(-now) > 0) {
            startLoop();
        }
    }

    private void turn(Selector open) throws IOException {
        for (Probe probe = arrived.poll(); probe != null; probe = arrived.poll()) {
            if (probe.open) {
                probe.away = false;
                advance(probe, open);
            } else {
                (probe.slow ? waitingSlow : waiting).add(probe);
            }
        }
        begin(open);
        if (ended > 0) {
            // The last one may have ended already, and then there is nothing to wait for.
            open.selectNow();
        } else {
            select(open);
        }
        for (SelectionKey key : open.selectedKeys()) {
            Probe probe = (Probe) key.attachment();
            if (key.isValid() && !probe.finished && !probe.away) {
                key.interestOps(0);
                advance(probe, open);
            }
        }
        open.selectedKeys().clear();
        expire();
    }

    private void begin(Selector open) {
        while (opened.size() < MAX_OPEN) {
            Probe next = slowOpened < MAX_SLOW ? waitingSlow.poll() : null;
            next = next == null ? waiting.poll() : next;
            if (next == null) {
                return;
            }
            next.open = true;
            next.deadline = System.nanoTime() + next.check.timeout().toNanos();
            opened.add(next);
            slowOpened += next.slow ? 1 : 0;
            byDeadline.add(next);
            lookUp(next);
            if (!next.away) {
                advance(next, open);
            }
        }
    }

    private void select(Selector open) throws IOException {
        Probe first = byDeadline.peek();
        if (first == null) {
            open.select();
            return;
        }
        // Rounded up: a turn before the deadline would only be another turn.
        long millis = (first.deadline - System.nanoTime()) / 1_000_000L + 1;
        if (millis > 0) {
            open.select(millis);
        } else {
            open.selectNow();
        }
    }

    private void expire() {
        long now = System.nanoTime();
        for (Probe first = byDeadline.peek(); first != null && first.deadline - now <= 0; first = byDeadline.peek()) {
            byDeadline.poll();
            finish(first, Verdict.timedOut());
        }
    }

    private void lookUp(Probe probe) {
        String host = probe.endpoint.host();
        if (isLiteral(host)) {
            try {
                probe.address(InetAddress.getByName(host));
            } catch (UnknownHostException e) {
                finish(probe, probe.verdict(e));
            }
            return;
        }
        probe.away = true;
        CompletableFuture<InetAddress> fresh = new CompletableFuture<>();
        CompletionStage<InetAddress> running = lookups.putIfAbsent(host, fresh);
        if (running == null) {
            running = fresh;
            try {
                names.execute(() -> resolve(host, fresh));
            } catch (RuntimeException | Error e) {
                lookups.remove(host, fresh);
                fresh.completeExceptionally(e);
            }
        }
        running.whenComplete((address, e) -> {
            if (e == null) {
                probe.address(address);
            } else {
                probe.fail(e);
            }
            arrived.add(probe);
            wakeUp();
        });
    }

    private void resolve(String host, CompletableFuture<InetAddress> result) {
        try {
            InetAddress address = InetAddress.getByName(host);
            lookups.remove(host, result);
            result.complete(address);
        } catch (UnknownHostException | RuntimeException | Error e) {
            // Whatever it is: the name could not be looked up, and the next check asks anew.
            lookups.remove(host, result);
            result.completeExceptionally(e);
        }
    }

    /** Whether this is an address rather than a name. */
    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    }

    private void advance(Probe probe, Selector open) {
        if (probe.finished) {
            return;
        }
        try {
            Verdict verdict = probe.advance();
            if (verdict != null) {
                finish(probe, verdict);
                return;
            }
            Runnable task = probe.takeTask();
            if (task != null) {
                probe.away = true;
                work.execute(() -> away(probe, task));
                return;
            }
            register(probe, open);
        } catch (IOException | RuntimeException | LinkageError e) {
            // LinkageError: a TLS provider that cannot be initialised. The server cannot be checked, so it has not
            // passed.
            finish(probe, probe.verdict(e));
        }
    }

    private void away(Probe probe, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError e) {
            probe.fail(e);
        }
        arrived.add(probe);
        wakeUp();
    }

    private static void register(Probe probe, Selector open) throws IOException {
        SocketChannel channel = probe.channel();
        if (channel == null) {
            throw new IOException("there is no connection");
        }
        SelectionKey key = channel.keyFor(open);
        if (key == null) {
            channel.register(open, probe.ops(), probe);
        } else {
            key.interestOps(probe.ops());
        }
    }

    private void finish(Probe probe, Verdict verdict) {
        if (probe.finished) {
            return;
        }
        probe.finished = true;
        if (opened.remove(probe)) {
            slowOpened -= probe.slow ? 1 : 0;
        }
        close(probe);
        ended++;
        tell(probe, verdict);
    }

    private void tell(Probe probe, Verdict verdict) {
        try {
            work.execute(() -> probe.done.accept(verdict));
        } catch (OutOfMemoryError e) {
            // No thread is to be had for it. A verdict that is not told is the last one: the next check follows on it.
            probe.done.accept(verdict);
        }
    }

    private static void close(Probe probe) {
        try {
            probe.close();
        } catch (IOException e) {
            // The socket is gone all the same, and the verdict does not depend on how it went.
            probe.finished = true;
        }
    }
}
