package io.fairlead;

/**
 * The time for pickers, to a tenth of a millisecond: the load balancer reads the clock once a request anyway, and hands
 * that on, so that a pick by latency need not read it again.
 */
final class PickClock implements Ticker {
    private static final long STEP_NANOS = 100_000;

    private volatile long now;

    PickClock(long now) {
        this.now = now;
    }

    /** Takes over the time that has been read; written only when a step has gone by, since all threads read it. */
    void tell(long time) {
        if (time - now >= STEP_NANOS) {
            now = time;
        }
    }

    @Override
    public long nanoTime() {
        return now;
    }
}
