package io.fairlead.servlet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.util.Pool;
import org.jspecify.annotations.Nullable;

/**
 * A pool of connections for each selector, and all of them as one: who asks gets a connection that is watched by the
 * selector that its own thread serves, or else any other, before a new one is made.
 *
 * <p>Safe for use from any thread.
 */
final class SelectorPools<P> implements Pool<P> {
    /** Stands for the selectors that are the filter's own. */
    private static final Object OWN = new Object();

    private final Supplier<? extends @Nullable Object> here;
    private final int max;
    private final Supplier<Pool<P>> maker;
    private final Map<Object, Pool<P>> pools = new ConcurrentHashMap<>();
    private volatile boolean terminated;

    /**
     * A pool without connections.
     *
     * @param here the selector that the calling thread serves, where it serves one
     * @param max how many connections there may be in all
     * @param maker makes a pool for one selector, which must hold as many
     */
    SelectorPools(Supplier<? extends @Nullable Object> here, int max, Supplier<Pool<P>> maker) {
        this.here = here;
        this.max = max;
        this.maker = maker;
    }

    /** In the pool of the thread's selector, to which the connection is going to belong. */
    @Override
    public synchronized @Nullable Entry<P> reserve() {
        if (terminated || size() >= max) {
            return null;
        }
        pools.entrySet().removeIf(each -> isLeft(each.getKey(), each.getValue()));
        return pools.computeIfAbsent(key(), unused -> maker.get()).reserve();
    }

    /** Whether it is that of a selector which no thread serves any more. */
    private static boolean isLeft(Object selector, Pool<?> pool) {
        return selector instanceof ManagedSelector managed && !managed.isRunning() && pool.size() == 0;
    }

    @Override
    public @Nullable Entry<P> acquire() {
        Pool<P> near = pools.get(key());
        Entry<P> entry = near == null ? null : near.acquire();
        if (entry != null) {
            return entry;
        }
        for (Pool<P> pool : pools.values()) {
            entry = pool == near ? null : pool.acquire();
            if (entry != null) {
                return entry;
            }
        }
        return null;
    }

    private Object key() {
        Object selector = here.get();
        return selector == null ? OWN : selector;
    }

    @Override
    public boolean isTerminated() {
        return terminated;
    }

    @Override
    public synchronized Collection<Entry<P>> terminate() {
        terminated = true;
        List<Entry<P>> entries = new ArrayList<>();
        pools.values().forEach(pool -> entries.addAll(pool.terminate()));
        return entries;
    }

    @Override
    public int size() {
        return sum(Pool::size);
    }

    @Override
    public int getMaxSize() {
        return max;
    }

    // Not from the stream of the entries: these are asked for with each connection that comes back.

    @Override
    public int getReservedCount() {
        return sum(Pool::getReservedCount);
    }

    @Override
    public int getIdleCount() {
        return sum(Pool::getIdleCount);
    }

    @Override
    public int getInUseCount() {
        return sum(Pool::getInUseCount);
    }

    @Override
    public int getTerminatedCount() {
        return sum(Pool::getTerminatedCount);
    }

    private int sum(ToIntFunction<Pool<P>> count) {
        int sum = 0;
        for (Pool<P> pool : pools.values()) {
            sum += count.applyAsInt(pool);
        }
        return sum;
    }

    @Override
    public Stream<Entry<P>> stream() {
        return pools.values().stream().flatMap(Pool::stream);
    }

    @Override
    public String toString() {
        return pools.values().toString();
    }
}
