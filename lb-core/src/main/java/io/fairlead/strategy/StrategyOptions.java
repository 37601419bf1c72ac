package io.fairlead.strategy;

/**
 * The options of the strategies that ship with the library; each strategy reads its own.
 *
 * <p>Immutable; equal by value.
 */
public final class StrategyOptions {
    /** All defaults: hashed by the client's address. */
    public static final StrategyOptions DEFAULT = new StrategyOptions("$remote_addr");

    private final String hashBy;

    private StrategyOptions(String hashBy) {
        this.hashBy = hashBy;
    }

    /** What a hash strategy hashes, in the form of {@link HashKey#parse}; default {@code $remote_addr}. */
    public String hashBy() {
        return hashBy;
    }

    /**
     * These options with another {@link #hashBy()}.
     *
     * @throws IllegalArgumentException {@link HashKey#parse} refuses it
     */
    public StrategyOptions withHashBy(String hashBy) {
        HashKey.parse(hashBy);
        return new StrategyOptions(hashBy);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StrategyOptions && ((StrategyOptions) other).hashBy.equals(hashBy);
    }

    @Override
    public int hashCode() {
        return hashBy.hashCode();
    }

    @Override
    public String toString() {
        return "StrategyOptions{hashBy=" + hashBy + "}";
    }
}
