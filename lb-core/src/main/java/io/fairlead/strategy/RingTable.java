package io.fairlead.strategy;

import java.util.Arrays;

/**
 * {@code ring-hash}: consistent hashing (Karger et al. 1997). Each server stands on a ring of 64-bit numbers at a number
 * of points in proportion to its weight; a key belongs to the next point, that of the greatest to the first.
 *
 * <p>A unit of weight is worth the same number of points whatever the other servers are, so that one that comes or goes
 * moves no key between the others. Only where the ring would have more than 2^19 points are they halved for all, as
 * often as it takes; each server keeps one.
 *
 * <p>Points are sorted by hash into half as many buckets or more, so that a look-up reads the beginning of its bucket and
 * a point or two, whatever the size of the ring.
 */
final class RingTable extends ProbedTable {
    static final int MAX_POINTS = 1 << 19;

    private static final int OWNER_BITS = 24;
    private static final long OWNER_MASK = (1L << OWNER_BITS) - 1;

    /** So many bits of buckets are filled at a time: few enough for the nearest cache. */
    private static final int FINE_BITS = 9;

    private final int bits;
    /** Where each bucket of points begins, and behind them the number of points. */
    private final int[] begins;
    /** Ascending: 39 bits of the hash, then the owner. */
    private final long[] points;

    RingTable(Candidate[] byId, int[] weights, int weightScale, int pointsPerServer, HashFunction function) {
        int[] counts = counts(weights, weightScale, pointsPerServer);
        int total = (int) Weights.sum(counts);
        bits = Math.max(1, 31 - Integer.numberOfLeadingZeros(total));
        begins = new int[(1 << bits) + 1];
        points = new long[total];
        int point = 0;
        for (int i = 0; i < byId.length; i++) {
            String id = byId[i].id();
            long state = function.add(id, 0, id.length(), function.begin());
            for (int k = 0; k < counts[i]; k++) {
                points[point++] = position(function.end(function.add(k, state))) | i;
            }
        }
        sort();
    }

    /** How many points there are. */
    int size() {
        return points.length;
    }

    /** Sorts by bucket, first roughly and then, a part at a time, into the buckets themselves. */
    private void sort() {
        int fineBits = Math.min(FINE_BITS, bits);
        int parts = 1 << (bits - fineBits);
        int[] ends = new int[parts + 1];
        for (long point : points) {
            ends[(bucket(point) >>> fineBits) + 1]++;
        }
        for (int i = 1; i <= parts; i++) {
            ends[i] += ends[i - 1];
        }
        long[] rough = new long[points.length];
        for (long point : points) {
            rough[ends[bucket(point) >>> fineBits]++] = point;
        }
        // Each end has moved to the beginning of the next part.
        int[] filled = new int[1 << fineBits];
        for (int part = 0; part < parts; part++) {
            int from = part == 0 ? 0 : ends[part - 1];
            fill(rough, from, ends[part], part << fineBits, filled);
        }
        begins[1 << bits] = points.length;
    }

    /** Sorts a stretch of points into the buckets from this one on, whose numbers are counted in {@code filled}. */
    private void fill(long[] rough, int from, int to, int firstBucket, int[] filled) {
        Arrays.fill(filled, 0);
        for (int i = from; i < to; i++) {
            filled[bucket(rough[i]) - firstBucket]++;
        }
        int begin = from;
        for (int i = 0; i < filled.length; i++) {
            begins[firstBucket + i] = begin;
            begin += filled[i];
            filled[i] = begins[firstBucket + i];
        }
        for (int i = from; i < to; i++) {
            int bucket = bucket(rough[i]);
            insert(begins[bucket], filled[bucket - firstBucket]++, rough[i]);
        }
    }

    private static int[] counts(int[] weights, int weightScale, int pointsPerServer) {
        int halvings = 0;
        int[] counts = new int[weights.length];
        while (true) {
            long total = 0;
            for (int i = 0; i < weights.length; i++) {
                long count = Math.max(1, ((long) weights[i] * pointsPerServer / weightScale) >> halvings);
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

    /** The hash's upper bits in a point that is not negative, with the place of the owner left at zero. */
    private static long position(long hash) {
        return (hash >>> 1) & ~OWNER_MASK;
    }

    private int bucket(long point) {
        return (int) (point >>> (63 - bits));
    }

    @Override
    long first(long hash) {
        long position = position(hash);
        int bucket = bucket(position);
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
