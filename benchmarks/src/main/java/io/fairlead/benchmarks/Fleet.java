package io.fairlead.benchmarks;

/**
 * The servers of one measurement, the same for ours and for every peer: addresses, weights, and how busy each is when the
 * measurement begins.
 *
 * <p>Immutable.
 */
public final class Fleet {
    private final int size;
    private final Weighting weighting;

    /** A fleet of so many servers, at least one and at most 65,025. */
    public Fleet(int size, Weighting weighting) {
        this.size = size;
        this.weighting = weighting;
    }

    /** How many servers there are. */
    public int size() {
        return size;
    }

    /** How they are weighted. */
    public Weighting weighting() {
        return weighting;
    }

    /** The address of a server; nothing is ever sent to it. */
    public String host(int index) {
        return "10.0." + (index / 255) + "." + (index % 255);
    }

    /** The port of every server. */
    public int port() {
        return 8080;
    }

    /** The weight of a server. */
    public int weight(int index) {
        return weighting.weightOf(index);
    }

    /** How many requests a server has under way: 1 to 5, out of step with the weights. */
    public int inFlight(int index) {
        return 1 + index * 7 % 11 % 5;
    }

    /** What a server's one answered request took, in milliseconds. */
    public int latencyMillis(int index) {
        return 5 + index * 13 % 17;
    }
}
