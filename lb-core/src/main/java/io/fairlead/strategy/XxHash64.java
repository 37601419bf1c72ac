package io.fairlead.strategy;

/**
 * XXH64 by Y. Collet (xxHash specification 0.1.1) over the UTF-8 form of a text, without making that form: the value is
 * that of {@code XXH64(text.getBytes(UTF_8), seed)}, and nothing is allocated.
 */
final class XxHash64 {
    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;
    private static final long P3 = 0x165667B19E3779F9L;
    private static final long P4 = 0x85EBCA77C2B2AE63L;
    private static final long P5 = 0x27D4EB2F165667C5L;

    private XxHash64() {}

    /** The hash of a text. */
    static long hash(String text, long seed) {
        return hash(text, 0, text.length(), seed);
    }

    /** The hash of a part of a text; surrogates that stand alone count as a question mark, as in Java's own encoder. */
    static long hash(String text, int from, int to, long seed) {
        long v1 = seed + P1 + P2;
        long v2 = seed + P2;
        long v3 = seed;
        long v4 = seed - P1;
        long lane1 = 0;
        long lane2 = 0;
        long lane3 = 0;
        int lanes = 0;
        long lane = 0;
        int filled = 0;
        long length = 0;
        int i = from;
        while (i < to) {
            char c = text.charAt(i);
            long bytes = c;
            int count = 1;
            if (c >= 0x80) {
                long packed = Utf8.at(text, i, to);
                bytes = Utf8.bytes(packed);
                count = Utf8.count(packed);
            }
            i += Utf8.chars(count);
            lane |= bytes << (8 * filled);
            filled += count;
            length += count;
            if (filled >= 8) {
                switch (lanes & 3) {
                    case 0:
                        lane1 = lane;
                        break;
                    case 1:
                        lane2 = lane;
                        break;
                    case 2:
                        lane3 = lane;
                        break;
                    default:
                        v1 = round(v1, lane1);
                        v2 = round(v2, lane2);
                        v3 = round(v3, lane3);
                        v4 = round(v4, lane);
                        break;
                }
                lanes++;
                filled -= 8;
                lane = filled == 0 ? 0 : bytes >>> (8 * (count - filled));
            }
        }
        long hash;
        if (length >= 32) {
            hash = Long.rotateLeft(v1, 1) + Long.rotateLeft(v2, 7) + Long.rotateLeft(v3, 12) + Long.rotateLeft(v4, 18);
            hash = merge(merge(merge(merge(hash, v1), v2), v3), v4);
        } else {
            hash = seed + P5;
        }
        hash += length;
        int left = lanes & 3;
        if (left > 0) {
            hash = word(hash, lane1);
        }
        if (left > 1) {
            hash = word(hash, lane2);
        }
        if (left > 2) {
            hash = word(hash, lane3);
        }
        if (filled >= 4) {
            hash ^= (lane & 0xFFFFFFFFL) * P1;
            hash = Long.rotateLeft(hash, 23) * P2 + P3;
            lane >>>= 32;
            filled -= 4;
        }
        for (; filled > 0; filled--) {
            hash ^= (lane & 0xFF) * P5;
            hash = Long.rotateLeft(hash, 11) * P1;
            lane >>>= 8;
        }
        return avalanche(hash);
    }

    /** The hash of eight bytes, the least significant first. */
    static long hash(long value, long seed) {
        return avalanche(word(seed + P5 + 8, value));
    }

    /** The last step of the hash: a bijection in which each bit of the value moves each bit of the result. */
    static long avalanche(long value) {
        long hash = value;
        hash ^= hash >>> 33;
        hash *= P2;
        hash ^= hash >>> 29;
        hash *= P3;
        hash ^= hash >>> 32;
        return hash;
    }

    private static long round(long accumulator, long lane) {
        return Long.rotateLeft(accumulator + lane * P2, 31) * P1;
    }

    private static long merge(long hash, long accumulator) {
        return (hash ^ round(0, accumulator)) * P1 + P4;
    }

    private static long word(long hash, long lane) {
        return Long.rotateLeft(hash ^ round(0, lane), 27) * P1 + P4;
    }
}
