package io.fairlead.strategy;

/**
 * The server with the fewest requests under way among many of equal weight, ties broken by chance, in one pass without a
 * branch that depends on what is read: each server gets a number, the requests in its upper half and a place that chance
 * has dealt in the lower, and the least number wins.
 */
final class FewestRequests {
    /** An odd number near 2^32 over the golden ratio. */
    private static final int SPREAD = 0x9E3779B1;
    /** {@code SPREAD * GATHER == 1} in 32 bits. */
    private static final int GATHER = 0x0E8B2F51;

    private FewestRequests() {}

    static Candidate among(Candidate[] servers, RandomSource random) {
        int deal = (int) random.nextLong();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < servers.length; i++) {
            long place = place(i ^ deal) & 0xFFFFFFFFL;
            least = Math.min(least, ((long) servers[i].inFlight() << 32) | place);
        }
        return servers[index((int) least) ^ deal];
    }

    /** A mix of these bits, one to one. */
    private static int place(int index) {
        int spread = index * SPREAD;
        return (spread ^ (spread >>> 16)) * SPREAD;
    }

    private static int index(int place) {
        int spread = place * GATHER;
        return (spread ^ (spread >>> 16)) * GATHER;
    }
}
