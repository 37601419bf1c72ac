package io.fairlead.strategy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounded loads (V. Mirrokni, M. Thorup and M. Zadimoghaddam, <i>Consistent Hashing with Bounded Loads</i>, 2016): no
 * server gets a request that would bring it above {@code factor} times its share of the requests under way, rounded up.
 *
 * <p>The requests under way in all are a running total: each pick that needs it reads some servers anew and corrects the
 * total by what has changed. Up to 64 servers that is all of them, and the total is exact; with more it lags by a few
 * picks, and a pick still costs the same.
 */
final class LoadBound {
    private static final int READ_AT_ONCE = 64;

    private final Candidate[] servers;
    /** Each server's share of the load, times the factor. */
    private final double[] bounds;

    private final AtomicIntegerArray seen;
    private final AtomicLong total = new AtomicLong();
    private final AtomicInteger next = new AtomicInteger();

    LoadBound(Candidate[] servers, double factor, boolean weighted) {
        this.servers = servers;
        int[] weights = Servers.weights(servers);
        double sum = weighted ? Weights.sum(weights) : servers.length;
        bounds = new double[servers.length];
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] = factor * (weighted ? weights[i] : 1) / sum;
        }
        seen = new AtomicIntegerArray(servers.length);
        for (int i = 0; i < servers.length; i++) {
            read(i);
        }
    }

    /** Whether the server has nothing under way, which is below any bound. */
    boolean isIdle(int server) {
        return servers[server].inFlight() <= 0;
    }

    /** The requests under way at all servers. */
    long total() {
        int count = servers.length;
        if (count <= READ_AT_ONCE) {
            long sum = 0;
            for (Candidate server : servers) {
                sum += server.inFlight();
            }
            return sum;
        }
        int from = (next.getAndAdd(READ_AT_ONCE) & Integer.MAX_VALUE) % count;
        for (int i = 0; i < READ_AT_ONCE; i++) {
            read(from + i < count ? from + i : from + i - count);
        }
        return Math.max(0, total.get());
    }

    /** Whether the server may have one more, of this total and the new one. */
    boolean admits(int server, long underWay) {
        return servers[server].inFlight() < Math.ceil(bounds[server] * (underWay + 1));
    }

    private void read(int server) {
        int now = servers[server].inFlight();
        int before = seen.getAndSet(server, now);
        if (now != before) {
            total.addAndGet((long) now - before);
        }
    }
}
