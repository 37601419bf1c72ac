package io.fairlead.strategy;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Effective weights, after nginx: a server's weight falls with each failure, and climbs back by one with each of its
 * turns. While it is lower than configured, the server takes only that share of its turns and sits the others out.
 *
 * <p>A failure takes half of what is left, rounded up, so that a server of weight 1 sits out one turn, and one that goes
 * on failing gets next to nothing. Failures are seen when the server's turn comes, by
 * {@link Candidate#recentFailures()}; as long as there is none, nothing here is written and no turn is missed.
 *
 * <p>A server's state is one 64-bit word, zero while nothing is amiss: the failures seen (20 bits), what its weight has
 * lost (22 bits), and the share of a turn that it has saved up (22 bits).
 */
final class EffectiveWeights {
    private static final int BITS = 22;
    private static final long MASK = (1L << BITS) - 1;
    private static final int MAX_FAILURES = (1 << (64 - 2 * BITS)) - 1;

    private static final AtomicIntegerFieldUpdater<EffectiveWeights> AMISS =
            AtomicIntegerFieldUpdater.newUpdater(EffectiveWeights.class, "amiss");

    private final int[] weights;
    private final AtomicLongArray words;
    /** What a weight that has fallen climbs a turn: one unit of a configured weight. */
    private final int climb;

    private volatile int amiss;

    EffectiveWeights(int[] weights, long[] words, int scale) {
        // Only proportions matter here, and they must fit their bits.
        int down = Math.max(0, 32 - BITS - Integer.numberOfLeadingZeros(Weights.greatest(weights)));
        climb = Math.max(1, scale >>> down);
        this.weights = new int[weights.length];
        this.words = new AtomicLongArray(weights.length);
        for (int i = 0; i < weights.length; i++) {
            this.weights[i] = Math.max(1, weights[i] >>> down);
            long lost = Math.min(lost(words[i]), this.weights[i]);
            long saved = Math.min(saved(words[i]), this.weights[i]);
            this.words.set(i, word(failures(words[i]), lost, saved));
            if (this.words.get(i) != 0) {
                AMISS.incrementAndGet(this);
            }
        }
    }

    /**
     * Whether nothing is amiss with any server's weight: then a server without recent failures takes its turn, and need
     * not be asked for.
     */
    boolean isFull() {
        return amiss == 0;
    }

    /** Whether the server takes the turn that has come to it; counts the turn. */
    boolean takesTurn(int index, Candidate server) {
        int failures = Math.min(server.recentFailures(), MAX_FAILURES);
        long before = words.get(index);
        if (before == 0 && failures == 0) {
            return true;
        }
        int weight = weights[index];
        // Fewer than were seen: there was a success in between, and these came after it.
        int fresh = failures >= failures(before) ? failures - failures(before) : failures;
        long lost = lost(before);
        for (int i = 0; i < fresh && lost < weight; i++) {
            lost += (weight - lost + 1) / 2;
        }
        long saved = saved(before) + weight - lost;
        boolean takes = saved >= weight;
        if (takes) {
            saved -= weight;
        }
        lost = Math.max(0, lost - climb);
        long after = word(failures, lost, lost == 0 ? 0 : saved);
        if (words.compareAndSet(index, before, after)) {
            if (before == 0) {
                AMISS.incrementAndGet(this);
            } else if (after == 0) {
                AMISS.decrementAndGet(this);
            }
        }
        // Where another thread was faster the turn is not counted: the weight is that much higher for a moment.
        return takes;
    }

    long word(int index) {
        return words.get(index);
    }

    /** A word in units of another scale; what is lost is rounded up, so that it is not forgotten. */
    static long scaled(long word, int scale, int otherScale) {
        long lost = Math.min(MASK, (lost(word) * otherScale + scale - 1) / scale);
        long saved = Math.min(MASK, saved(word) * otherScale / scale);
        return word(failures(word), lost, saved);
    }

    private static long word(int failures, long lost, long saved) {
        return ((long) failures << (2 * BITS)) | (lost << BITS) | saved;
    }

    private static int failures(long word) {
        return (int) (word >>> (2 * BITS));
    }

    private static long lost(long word) {
        return (word >>> BITS) & MASK;
    }

    private static long saved(long word) {
        return word & MASK;
    }
}
