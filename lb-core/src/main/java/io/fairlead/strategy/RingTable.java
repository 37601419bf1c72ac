package io.fairlead.strategy;

/**
 * {@code ring-hash}: consistent hashing (Karger et al. 1997). Each server stands on a ring of 64-bit numbers at a number
 * of points in proportion to its weight; a key belongs to the next point, that of the greatest to the first.
 *
 * <p>A unit of weight is worth the same number of points whatever the other servers are, so that one that comes or goes
 * moves no key between the others. Only where the ring would have more than 2^20 points are they halved for all, as
 * often as it takes; each server keeps one.
 *
 * <p>Points are sorted by hash into as many buckets or more, so that a look-up reads the beginning of its bucket and one
 * or two points, whatever the size of the ring.
 */
final class RingTable extends ProbedTable {
    static final int MAX_POINTS = 1 << 20;

    private static final int OWNER_BITS = 24;
    private static final long OWNER_MASK = (1L << OWNER_BITS) - 1;

    private final int bits;
    /** Where each bucket of points begins, and behind them the number of points. */
    private final int[] begins;
    /** The hash's bits behind those of the bucket, then the owner. */
    private final long[] points;

    RingTable(Candidate[] byId, int[] weights, int pointsPerServer, HashFunction function) {
        int[] counts = counts(weights, pointsPerServer);
        int total = (int) Weights.sum(counts);
        bits = Math.max(1, 32 - Integer.numberOfLeadingZeros(total - 1));
        long[] hashes = new long[total];
        begins = new int[(1 << bits) + 1];
        int point = 0;
        for (int i = 0; i < byId.length; i++) {
            String id = byId[i].id();
            long state = function.add(id, 0, id.length(), function.begin());
            for (int k = 0; k < counts[i]; k++) {
                long hash = function.end(function.add(k, state));
                hashes[point++] = hash;
                begins[(int) (hash >>> (64 - bits)) + 1]++;
            }
        }
        for (int i = 1; i < begins.length; i++) {
            begins[i] += begins[i - 1];
        }
        points = new long[total];
        int[] filled = begins.clone();
        point = 0;
        for (int i = 0; i < byId.length; i++) {
            for (int k = 0; k < counts[i]; k++) {
                long hash = hashes[point++];
                int bucket = (int) (hash >>> (64 - bits));
                insert(begins[bucket], filled[bucket]++, position(hash) | i);
            }
        }
    }

    private static int[] counts(int[] weights, int pointsPerServer) {
        int halvings = 0;
        int[] counts = new int[weights.length];
        while (true) {
            long total = 0;
            for (int i = 0; i < weights.length; i++) {
                long count = Math.max(1, ((long) weights[i] * pointsPerServer) >> halvings);
                total += count;
                counts[i] = (int) Math.min(MAX_POINTS, count);
            }
            if (total <= Math.max(MAX_POINTS, weights.length)) {
                return counts;
            }
            halvings++;
        }
    }

    private void insert(int begin, int end, long point) {
        int i = end;
        while (i > begin && points[i - 1] > point) {
            points[i] = points[i - 1];
            i--;
        }
        points[i] = point;
    }

    private long position(long hash) {
        return (hash << bits) >>> (OWNER_BITS + 1) << OWNER_BITS;
    }

    @Override
    long first(long hash) {
        int bucket = (int) (hash >>> (64 - bits));
        long position = position(hash);
        int point = begins[bucket];
        int end = begins[bucket + 1];
        while (point < end && points[point] < position) {
            point++;
        }
        return point == points.length ? 0 : point;
    }

    @Override
    long next(long place) {
        return place + 1 == points.length ? 0 : place + 1;
    }

    @Override
    int serverAt(long place) {
        return (int) (points[(int) place] & OWNER_MASK);
    }
}
