package io.fairlead.servlet;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is at the container's objects of one request, so that the container does not take them back meanwhile: Tomcat gives
 * request, response and asynchronous context to the next request, perhaps of another client, and what came late would be
 * done to that one.
 *
 * <p>A thread {@linkplain #enter() enters} before it touches them and {@linkplain #leave() leaves} afterwards, never twice
 * at a time. Threads that are within do not exclude each other, nor does one ever wait; only the container's thread does,
 * when it {@linkplain #takeBack() takes the request back}.
 *
 * <p>Safe for use from any thread.
 */
final class Presence {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = 20_000;
    private static final int LOOKS = 100;

    /** Beside the count of those that are within. */
    private static final int TAKEN_BACK = Integer.MIN_VALUE;

    // Without objects of their own, which every request would pay for.
    private static final AtomicIntegerFieldUpdater<Presence> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Presence.class, "state");

    private final long limitNanos;

    private volatile int state;

    /** Is within a call in which the container may take the request back. */
    private volatile @Nullable Thread handingBack;

    Presence() {
        this(LIMIT_NANOS);
    }

    /** @param limitNanos how long the container's thread is kept at the most */
    Presence(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /** Comes in; false when the container has taken the request back, whose objects must not be touched any more. */
    boolean enter() {
        while (true) {
            int now = state;
            if (now < 0) {
                return false;
            }
            if (STATE.compareAndSet(this, now, now + 1)) {
                return true;
            }
        }
    }

    /**
     * Whoever is within is going to ask the container for something for which it may take the request back before it
     * returns: by the same thread, or by another that holds what the call waits for. Until he leaves.
     */
    void handsBack() {
        handingBack = Thread.currentThread();
    }

    /** Goes out; for who has come in. */
    void leave() {
        if (handingBack == Thread.currentThread()) {
            handingBack = null;
        }
        STATE.decrementAndGet(this);
    }

    /**
     * Lets nobody in any more, and waits until those are out that are within, for a second at the most. Called by the
     * container's thread as the last that is done with the request.
     *
     * <p>He is not waited for who hands back and waits for this thread: he is this thread, or wants the monitor in which
     * Tomcat tells of the end, behind which he will find the request ended.
     */
    void takeBack() {
        close(() -> {
            Thread one = handingBack;
            return one != null && (one == Thread.currentThread() || one.getState() == Thread.State.BLOCKED);
        });
    }

    /**
     * As {@link #takeBack()}, by a thread that holds nothing which those within may want, and which the container is going
     * to end the request by: whoever were about to end it as well would come to the monitor when the request has ended,
     * and might have it after the next one's beginning, and end that.
     */
    void takeBackBeforeEnd() {
        close(() -> handingBack == Thread.currentThread());
    }

    /** @param isExempt whether one of those within is not to be waited for, who hands back */
    private void close(BooleanSupplier isExempt) {
        STATE.getAndUpdate(this, now -> now | TAKEN_BACK);
        long began = System.nanoTime();
        for (int looks = 0; ; looks++) {
            // In this order: who hands back leaves first the note and then the count.
            int within = state & ~TAKEN_BACK;
            if (within == 0 || (within == 1 && isExempt.getAsBoolean())) {
                return;
            }
            // The looks are for a machine that has stood still: then nobody has had the time.
            if (looks >= LOOKS && System.nanoTime() - began > limitNanos) {
                log.warn("a request is still being worked on that the container takes back");
                return;
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }
}
