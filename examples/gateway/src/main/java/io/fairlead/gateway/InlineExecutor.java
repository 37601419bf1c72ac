package io.fairlead.gateway;

import java.util.concurrent.Executor;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.TryExecutor;

/**
 * Runs connections at once that go on to their next request, in the thread that has ended the one before, and everything
 * else in the pool. Only for a server that handles its requests without waiting: nothing waits on that way, and the next
 * request has often come by then, so that neither a thread nor the selector needs to be woken for it.
 */
final class InlineExecutor implements TryExecutor {
    private final Executor pool;
    private final TryExecutor tryPool;

    InlineExecutor(Executor pool) {
        this.pool = pool;
        tryPool = TryExecutor.asTryExecutor(pool);
    }

    @Override
    public void execute(Runnable task) {
        if (task instanceof Connection) {
            task.run();
        } else {
            pool.execute(task);
        }
    }

    @Override
    public boolean tryExecute(Runnable task) {
        return tryPool.tryExecute(task);
    }
}
