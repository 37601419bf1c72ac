package io.fairlead.strategy;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * How many servers of a service have {@linkplain Candidate#recentFailures() recent failures}, or an
 * {@linkplain Candidate#errorLevel error level}: while it is none, which is
 * nearly always, a picker need not ask each server that it picks.
 *
 * <p>Safe for use from any thread.
 */
public final class RecentFailures {
    private static final AtomicIntegerFieldUpdater<RecentFailures> SERVERS =
            AtomicIntegerFieldUpdater.newUpdater(RecentFailures.class, "servers");

    private volatile int servers;

    private RecentFailures(int servers) {
        this.servers = servers;
    }

    /** Of servers that nobody counts: any of them may have some at any time. */
    public static RecentFailures uncounted() {
        return new RecentFailures(1);
    }

    /** Of servers that have none so far and tell of them. */
    public static RecentFailures counted() {
        return new RecentFailures(0);
    }

    /** A server that had none has failed. */
    public void begin() {
        SERVERS.incrementAndGet(this);
    }

    /** A server that had some has succeeded, or is gone. */
    public void end() {
        SERVERS.decrementAndGet(this);
    }

    /** Whether a server may have recent failures. */
    public boolean isAny() {
        return servers != 0;
    }
}
