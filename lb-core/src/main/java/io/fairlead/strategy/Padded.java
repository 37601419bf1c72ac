package io.fairlead.strategy;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * A counter that stands alone on its cache lines. The virtual machine lays out the fields of a superclass before those
 * of its subclasses, so the padding is where the hierarchy puts it; 120 bytes on either side, since lines of 64 bytes
 * are fetched in pairs.
 */
final class Padded {
    private Padded() {}

    /** What keeps the object before away. */
    abstract static class Before {
        long b01;
        long b02;
        long b03;
        long b04;
        long b05;
        long b06;
        long b07;
        long b08;
        long b09;
        long b10;
        long b11;
        long b12;
        long b13;
        long b14;
        long b15;
    }

    /** The counter. */
    abstract static class Count extends Before {
        private static final AtomicLongFieldUpdater<Count> COUNT =
                AtomicLongFieldUpdater.newUpdater(Count.class, "count");

        private volatile long count;

        final long getAndIncrement() {
            return COUNT.getAndIncrement(this);
        }

        final boolean compareAndSet(long expected, long next) {
            return COUNT.compareAndSet(this, expected, next);
        }

        final long get() {
            return count;
        }

        final void set(long next) {
            count = next;
        }
    }

    /** What keeps the fields of the subclass away. */
    abstract static class Counter extends Count {
        long a01;
        long a02;
        long a03;
        long a04;
        long a05;
        long a06;
        long a07;
        long a08;
        long a09;
        long a10;
        long a11;
        long a12;
        long a13;
        long a14;
        long a15;
    }
}
