package io.fairlead.benchmarks.simulation;

import java.util.Arrays;

/**
 * What happened in a run. An answer is good when it serves the client within {@link #PATIENCE_NANOS}; one that serves it
 * later is neither good nor an error.
 *
 * <p>Figures are of the requests that began in the measured seconds, courses over time are of all.
 */
final class Recording {
    /** How long a client waits gladly. */
    static final long PATIENCE_NANOS = 1_000_000_000L;

    private static final double SECOND = 1e9;

    private final World world;
    private final int[] goodInSecond;
    private final int[][] sentInSecond;
    private long[] latencies = new long[1024];
    private int measured;
    private long good;
    private long errors;
    private long retries;
    private long underWay;

    Recording(World world) {
        this.world = world;
        goodInSecond = new int[world.seconds()];
        sentInSecond = new int[world.seconds()][world.servers()];
    }

    // What happens.

    /** A request will end. */
    void begun() {
        underWay++;
    }

    /** A try goes to this server. */
    void sent(int server, long now) {
        int second = (int) (now / SECOND);
        if (second < world.seconds()) {
            sentInSecond[second][server]++;
        }
    }

    /** A request that began at this moment is tried once more. */
    void retried(long begun) {
        if (isMeasured(begun)) {
            retries++;
        }
    }

    /** A request has ended. */
    void ended(long begun, long now, boolean served) {
        underWay--;
        boolean isGood = served && now - begun <= PATIENCE_NANOS;
        int second = (int) (now / SECOND);
        if (isGood && second < world.seconds()) {
            goodInSecond[second]++;
        }
        if (!isMeasured(begun)) {
            return;
        }
        if (measured == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * measured);
        }
        latencies[measured++] = now - begun;
        good += isGood ? 1 : 0;
        errors += served ? 0 : 1;
    }

    private boolean isMeasured(long begun) {
        double second = begun / SECOND;
        return second >= world.measuredFrom() && second < world.seconds();
    }

    // What came of it.

    boolean isUnderWay() {
        return underWay > 0;
    }

    long requests() {
        return measured;
    }

    double goodPercent() {
        return percent(good);
    }

    double errorPercent() {
        return percent(errors);
    }

    double retryPercent() {
        return percent(retries);
    }

    private double percent(long count) {
        return 100.0 * count / Math.max(1, measured);
    }

    double meanMillis() {
        return Arrays.stream(latencies, 0, measured).average().orElse(0) / 1e6;
    }

    /** The latency that this share of the requests, from 0 to 1, does not exceed (nearest rank), errors included. */
    double quantileMillis(double share) {
        long[] sorted = Arrays.copyOf(latencies, measured);
        Arrays.sort(sorted);
        return measured == 0 ? 0 : sorted[(int) Math.max(0, Math.ceil(share * measured) - 1)] / 1e6;
    }

    /** How many good answers came in each second. */
    int[] goodInSecond() {
        return goodInSecond.clone();
    }

    /** Each server's share of the tries from one second to before another, in percent. */
    double[] shares(int from, int to) {
        double[] shares = new double[world.servers()];
        double sum = 0;
        for (int second = from; second < to; second++) {
            for (int server = 0; server < shares.length; server++) {
                shares[server] += sentInSecond[second][server];
                sum += sentInSecond[second][server];
            }
        }
        for (int server = 0; server < shares.length; server++) {
            shares[server] *= 100 / Math.max(1, sum);
        }
        return shares;
    }
}
