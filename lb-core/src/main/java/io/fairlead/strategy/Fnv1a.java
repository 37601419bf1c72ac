package io.fairlead.strategy;

/** FNV-1a of 64 bits (draft-eastlake-fnv) over texts, and MurmurHash3's finalizer for 64 bits. */
final class Fnv1a {
    static final long BASIS = 0xCBF29CE484222325L;

    private static final long PRIME = 0x100000001B3L;

    private Fnv1a() {}

    /** The hash of what this one was of, followed by the UTF-8 form of a part of a text. */
    static long add(String text, int from, int to, long hash) {
        long next = hash;
        int i = from;
        while (i < to) {
            long packed = Utf8.at(text, i, to);
            int count = Utf8.count(packed);
            next = step(next, Utf8.bytes(packed), count);
            i += Utf8.chars(count);
        }
        return next;
    }

    /** The hash of what this one was of, followed by eight bytes, the least significant first. */
    static long add(long number, long hash) {
        return step(hash, number, 8);
    }

    /** A. Appleby's {@code fmix64}. */
    static long mix(long value) {
        long mixed = value;
        mixed ^= mixed >>> 33;
        mixed *= 0xFF51AFD7ED558CCDL;
        mixed ^= mixed >>> 33;
        mixed *= 0xC4CEB9FE1A85EC53L;
        mixed ^= mixed >>> 33;
        return mixed;
    }

    private static long step(long hash, long bytes, int count) {
        long next = hash;
        for (int i = 0; i < count; i++) {
            next = (next ^ ((bytes >>> (8 * i)) & 0xFF)) * PRIME;
        }
        return next;
    }
}
