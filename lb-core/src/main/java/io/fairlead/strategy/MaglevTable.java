package io.fairlead.strategy;

import java.util.Arrays;

/**
 * {@code maglev}: the look-up table of D. Eisenbud et al., <i>Maglev: A Fast and Reliable Software Network Load
 * Balancer</i>, NSDI 2016, section 3.4. Servers take turns, in the order of their ids, at claiming the first free slot
 * of their own permutation of the table; a pick reads one slot. Weights are taken into account as in Envoy: in round
 * {@code r} a server has had {@code r * weight / greatest weight} turns, rounded up.
 *
 * <p>Shares differ by about servers / slots; a server that comes or goes moves a few keys beyond its own share, the
 * fewer the larger the table.
 */
final class MaglevTable extends ProbedTable {
    private static final int SIZE = 65_537;
    private static final int LARGE_SIZE = 262_147;
    /** With more servers the size is the large one, so that each has ten slots on average at the least. */
    private static final int MAX_SERVERS = SIZE / 10;

    private final int[] slots;

    private MaglevTable(int[] slots) {
        this.slots = slots;
    }

    /** The table of this many slots, a prime; 0: of as many as suit the number of servers. */
    static MaglevTable of(Candidate[] byId, int[] weights, int wantedSize) {
        int size = wantedSize != 0 ? wantedSize : byId.length <= MAX_SERVERS ? SIZE : LARGE_SIZE;
        int[] offsets = new int[byId.length];
        int[] skips = new int[byId.length];
        for (int i = 0; i < byId.length; i++) {
            offsets[i] = (int) Long.remainderUnsigned(XxHash64.hash(byId[i].id(), 0), size);
            skips[i] = (int) Long.remainderUnsigned(XxHash64.hash(byId[i].id(), 1), size - 1) + 1;
        }
        return new MaglevTable(fill(offsets, skips, weights, size));
    }

    static int[] fill(int[] offsets, int[] skips, int[] weights, int size) {
        int[] slots = new int[size];
        Arrays.fill(slots, -1);
        int[] places = offsets.clone();
        int[] turns = turns(weights, size);
        for (int turn = 0; turn < size; turn++) {
            int server = turns[turn];
            int place = places[server];
            int skip = skips[server];
            while (slots[place] >= 0) {
                place += skip;
                if (place >= size) {
                    place -= size;
                }
            }
            slots[place] = server;
            places[server] = place;
        }
        return slots;
    }

    /** Whose the first turns are: at least so many. A server's k-th turn, from 0, is in round ceil(k * greatest / weight). */
    private static int[] turns(int[] weights, int size) {
        long greatest = Weights.greatest(weights);
        // After this round there have been enough turns, if no sooner.
        int lastRound = (int) Math.ceil((double) size * greatest / Weights.sum(weights));
        int[] begins = new int[lastRound + 2];
        for (int weight : weights) {
            for (long k = 0, round = 0; round <= lastRound; k++, round = round(k, greatest, weight)) {
                begins[(int) round + 1]++;
            }
        }
        for (int i = 1; i < begins.length; i++) {
            begins[i] += begins[i - 1];
        }
        int[] turns = new int[begins[lastRound + 1]];
        for (int i = 0; i < weights.length; i++) {
            for (long k = 0, round = 0; round <= lastRound; k++, round = round(k, greatest, weights[i])) {
                turns[begins[(int) round]++] = i;
            }
        }
        return turns;
    }

    private static long round(long turn, long greatest, long weight) {
        return (turn * greatest + weight - 1) / weight;
    }

    @Override
    long first(long hash) {
        return ((hash >>> 32) * slots.length) >>> 32;
    }

    @Override
    long next(long place) {
        return place + 1 == slots.length ? 0 : place + 1;
    }

    @Override
    int serverAt(long place) {
        return slots[(int) place];
    }
}
