package io.fairlead.strategy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** XXH64 over bytes, written straight from its specification, as a check on the form over texts. */
final class XxHash64OfBytes {
    private static final long P1 = Long.parseUnsignedLong("11400714785074694791");
    private static final long P2 = Long.parseUnsignedLong("14029467366897019727");
    private static final long P3 = Long.parseUnsignedLong("1609587929392839161");
    private static final long P4 = Long.parseUnsignedLong("9650029242287828579");
    private static final long P5 = Long.parseUnsignedLong("2870177450012600261");

    private XxHash64OfBytes() {}

    static long hash(byte[] bytes, long seed) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long acc = seed + P5;
        if (bytes.length >= 32) {
            long[] v = {seed + P1 + P2, seed + P2, seed, seed - P1};
            while (in.remaining() >= 32) {
                for (int i = 0; i < 4; i++) {
                    v[i] = round(v[i], in.getLong());
                }
            }
            acc = Long.rotateLeft(v[0], 1)
                    + Long.rotateLeft(v[1], 7)
                    + Long.rotateLeft(v[2], 12)
                    + Long.rotateLeft(v[3], 18);
            for (long lane : v) {
                acc = (acc ^ round(0, lane)) * P1 + P4;
            }
        }
        acc += bytes.length;
        while (in.remaining() >= 8) {
            acc = Long.rotateLeft(acc ^ round(0, in.getLong()), 27) * P1 + P4;
        }
        if (in.remaining() >= 4) {
            acc = Long.rotateLeft(acc ^ ((in.getInt() & 0xFFFFFFFFL) * P1), 23) * P2 + P3;
        }
        while (in.hasRemaining()) {
            acc = Long.rotateLeft(acc ^ ((in.get() & 0xFFL) * P5), 11) * P1;
        }
        acc = (acc ^ (acc >>> 33)) * P2;
        acc = (acc ^ (acc >>> 29)) * P3;
        return acc ^ (acc >>> 32);
    }

    private static long round(long acc, long lane) {
        return Long.rotateLeft(acc + lane * P2, 31) * P1;
    }
}
