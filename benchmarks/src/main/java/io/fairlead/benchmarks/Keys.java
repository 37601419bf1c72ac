package io.fairlead.benchmarks;

/**
 * A turning wheel of keys, so that no branch of a hash strategy can be learnt by heart. Not safe for use from several
 * threads.
 */
public final class Keys {
    /** How many different keys there are; a power of two. */
    public static final int COUNT = 1024;

    private final Key[] keys = all();
    private long next;

    /** The next key. */
    public Key next() {
        return keys[(int) next++ & (COUNT - 1)];
    }

    /** How many keys have been given out. */
    public long turned() {
        return next;
    }

    /** All keys, in a new array. */
    public static Key[] all() {
        Key[] all = new Key[COUNT];
        for (int i = 0; i < COUNT; i++) {
            all[i] = new Key(i);
        }
        return all;
    }
}
