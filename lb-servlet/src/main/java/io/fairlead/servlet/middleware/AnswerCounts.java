package io.fairlead.servlet.middleware;

/**
 * How requests have ended in the last ten seconds, in ten slices of which the oldest is dropped whole: how many with which
 * status, and how long they took.
 *
 * <p>Guarded by its owner.
 */
final class AnswerCounts {
    private static final int SLICES = 10;
    private static final long SLICE_NANOS = 1_000_000_000L;
    private static final int STATUSES = 600;
    /** Of the latencies, in classes of which each is a tenth longer than the one before. */
    private static final int CLASSES = 200;

    private static final double GROWTH = Math.log(1.1);

    private final int[][] statuses = new int[SLICES][STATUSES];
    private final int[][] latencies = new int[SLICES][CLASSES];
    private final long begun;
    private long newest;

    AnswerCounts(long now) {
        begun = now;
    }

    void add(int status, long latencyNanos, long now) {
        int slice = advance(now);
        statuses[slice][Math.max(0, Math.min(status, STATUSES - 1))]++;
        latencies[slice][latencyClass(latencyNanos / 1e6)]++;
    }

    /** Forgets the slices whose time is over; the present one. */
    int advance(long now) {
        long slice = (now - begun) / SLICE_NANOS;
        for (long next = Math.max(newest + 1, slice - SLICES + 1); next <= slice; next++) {
            clear((int) (next % SLICES));
        }
        newest = Math.max(newest, slice);
        return (int) (newest % SLICES);
    }

    private void clear(int slice) {
        statuses[slice] = new int[STATUSES];
        latencies[slice] = new int[CLASSES];
    }

    void clear() {
        for (int slice = 0; slice < SLICES; slice++) {
            clear(slice);
        }
    }

    /** How many ended with a status from {@code from} to below {@code to}. */
    long count(int from, int to) {
        long count = 0;
        for (int[] slice : statuses) {
            for (int status = Math.max(0, from); status < Math.min(to, STATUSES); status++) {
                count += slice[status];
            }
        }
        return count;
    }

    /** The share of the one range of statuses in the other; 0 where there is none of the other. */
    double ratio(int from, int to, int ofFrom, int ofTo) {
        long whole = count(ofFrom, ofTo);
        return whole == 0 ? 0 : (double) count(from, to) / whole;
    }

    /** The share of 502 and 504, which say that no server answered. */
    double networkErrorRatio() {
        long all = count(0, STATUSES);
        return all == 0 ? 0 : (double) (count(502, 503) + count(504, 505)) / all;
    }

    /**
     * The latency in milliseconds that so many percent did not exceed, to a tenth of it; 0 where there was no request.
     */
    double latencyAtQuantile(double percent) {
        long[] all = new long[CLASSES];
        long sum = 0;
        for (int[] slice : latencies) {
            for (int i = 0; i < CLASSES; i++) {
                all[i] += slice[i];
                sum += slice[i];
            }
        }
        long rank = Math.max(1, (long) Math.ceil(sum * Math.min(percent, 100) / 100));
        long seen = 0;
        for (int i = 0; i < CLASSES && sum > 0; i++) {
            seen += all[i];
            if (seen >= rank) {
                return i == 0 ? 0 : Math.exp((i - 0.5) * GROWTH) * 0.1;
            }
        }
        return 0;
    }

    /** From a tenth of a millisecond on. */
    private static int latencyClass(double millis) {
        return millis <= 0.1 ? 0 : Math.min(CLASSES - 1, 1 + (int) (Math.log(millis / 0.1) / GROWTH));
    }
}
