package io.fairlead.strategy;

/** The UTF-8 form of a text, a character at a time, so that it can be hashed without being made. */
final class Utf8 {
    private static final int COUNT_SHIFT = 32;

    private Utf8() {}

    /**
     * The bytes of the character at this index, the first the least significant, packed with their number. A surrogate
     * that stands alone counts as a question mark, as in Java's own encoder; of a pair, the index is the first's.
     */
    static long at(String text, int index, int to) {
        char c = text.charAt(index);
        if (c < 0x80) {
            return pack(1, c);
        }
        if (c < 0x800) {
            return pack(2, (0xC0 | (c >> 6)) | tail(c, 0) << 8);
        }
        if (!Character.isSurrogate(c)) {
            return pack(3, (0xE0 | (c >> 12)) | tail(c, 6) << 8 | tail(c, 0) << 16);
        }
        if (Character.isHighSurrogate(c) && index + 1 < to && Character.isLowSurrogate(text.charAt(index + 1))) {
            int point = Character.toCodePoint(c, text.charAt(index + 1));
            return pack(4, (0xF0 | (point >> 18)) | tail(point, 12) << 8 | tail(point, 6) << 16 | tail(point, 0) << 24);
        }
        return pack(1, '?');
    }

    static int count(long packed) {
        return (int) (packed >>> COUNT_SHIFT);
    }

    static long bytes(long packed) {
        return packed & 0xFFFFFFFFL;
    }

    /** How many chars stand for so many bytes. */
    static int chars(int count) {
        return count == 4 ? 2 : 1;
    }

    private static int tail(int point, int shift) {
        return 0x80 | ((point >> shift) & 0x3F);
    }

    private static long pack(int count, int bytes) {
        return (long) count << COUNT_SHIFT | (bytes & 0xFFFFFFFFL);
    }
}
