package io.fairlead.benchmarks;

import io.fairlead.RequestFacts;

/**
 * What a request is hashed by, in every form that a subject may want, made before the measurement.
 *
 * <p>It is a request itself, of which the client's address is known. Immutable.
 */
public final class Key implements RequestFacts {
    private final int index;
    private final String text;
    private final long hash;

    Key(int index) {
        this.index = index;
        this.text = "192.0." + (2 + index / 250) + "." + (1 + index % 250);
        this.hash = mix(index);
    }

    /** The place of this key among all, from 0 to {@link Keys#COUNT} - 1. */
    public int index() {
        return index;
    }

    /** The key as it would come with a request. */
    public String text() {
        return text;
    }

    /** 64 bits that stand for the key: what is left to do once it has been hashed. */
    public long hash() {
        return hash;
    }

    @Override
    public String remoteAddress() {
        return text;
    }

    /** SplitMix64's finish (Steele, Lea, Flood 2014): distinct indices, unrelated bits. */
    private static long mix(long index) {
        long z = (index + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
