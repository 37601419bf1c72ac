package io.fairlead.strategy;

/** CRC-32 (ISO 3309, polynomial 0xEDB88320) over texts, continued as zlib's {@code crc32(crc, bytes)} is. */
final class Crc32 {
    private static final int[] TABLE = table();

    private Crc32() {}

    /** The checksum of what this one was of, followed by the UTF-8 form of a part of a text. */
    static long add(String text, int from, int to, int checksum) {
        int crc = ~checksum;
        int i = from;
        while (i < to) {
            long packed = Utf8.at(text, i, to);
            int count = Utf8.count(packed);
            crc = step(crc, Utf8.bytes(packed), count);
            i += Utf8.chars(count);
        }
        return ~crc & 0xFFFFFFFFL;
    }

    /** The checksum of what this one was of, followed by eight bytes, the least significant first. */
    static long add(long number, int checksum) {
        return ~step(~checksum, number, 8) & 0xFFFFFFFFL;
    }

    private static int step(int crc, long bytes, int count) {
        int next = crc;
        for (int i = 0; i < count; i++) {
            next = TABLE[(next ^ (int) (bytes >>> (8 * i))) & 0xFF] ^ (next >>> 8);
        }
        return next;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int entry = i;
            for (int bit = 0; bit < 8; bit++) {
                entry = (entry & 1) == 0 ? entry >>> 1 : entry >>> 1 ^ 0xEDB88320;
            }
            table[i] = entry;
        }
        return table;
    }
}
