package io.fairlead.strategy;

import java.util.ArrayList;
import java.util.List;

/**
 * The functions that a hash ring can be made of. A hash is begun, parts are added to its state, and the state is ended
 * to 64 bits that are uniform from the top down.
 */
enum HashFunction {
    /** XXH64: the state is the hash of what came before, and the seed of what comes next. */
    XXHASH64("xxhash64") {
        @Override
        long begin() {
            return 0;
        }

        @Override
        long add(String text, int from, int to, long state) {
            return XxHash64.hash(text, from, to, state);
        }

        @Override
        long add(long number, long state) {
            return XxHash64.hash(number, state);
        }

        @Override
        long end(long state) {
            return state;
        }
    },

    /**
     * CRC-32 as in zlib and Ethernet, mixed to 64 bits by the same finalizer as FNV: a CRC is linear, so that by itself it
     * would put the points of every server in the same pattern.
     */
    CRC32("crc32") {
        @Override
        long begin() {
            return 0;
        }

        @Override
        long add(String text, int from, int to, long state) {
            return Crc32.add(text, from, to, (int) state);
        }

        @Override
        long add(long number, long state) {
            return Crc32.add(number, (int) state);
        }

        @Override
        long end(long state) {
            return Fnv1a.mix(state);
        }
    },

    /**
     * FNV-1a of 64 bits, mixed by MurmurHash3's finalizer: FNV alone leaves the upper bits of short texts that differ at
     * their end nearly alike, so that a ring of it is badly out of balance.
     */
    FNV1A_FMIX64("fnv1a-fmix64") {
        @Override
        long begin() {
            return Fnv1a.BASIS;
        }

        @Override
        long add(String text, int from, int to, long state) {
            return Fnv1a.add(text, from, to, state);
        }

        @Override
        long add(long number, long state) {
            return Fnv1a.add(number, state);
        }

        @Override
        long end(long state) {
            return Fnv1a.mix(state);
        }
    };

    private final String configName;

    HashFunction(String configName) {
        this.configName = configName;
    }

    /** The state before anything has been added. */
    abstract long begin();

    /** The state with the UTF-8 form of a part of a text added. */
    abstract long add(String text, int from, int to, long state);

    /** The state with eight bytes added, the least significant first. */
    abstract long add(long number, long state);

    /** The hash. */
    abstract long end(long state);

    String configName() {
        return configName;
    }

    static HashFunction named(String name) {
        List<String> known = new ArrayList<>();
        for (HashFunction function : values()) {
            if (function.configName.equalsIgnoreCase(name)) {
                return function;
            }
            known.add(function.configName);
        }
        throw new IllegalArgumentException(
                "unknown hash function '" + name + "'; did you mean '" + Nearest.to(name, known) + "'?");
    }
}
