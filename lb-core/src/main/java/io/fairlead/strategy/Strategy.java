package io.fairlead.strategy;

/**
 * A way of picking servers. It builds a {@link Picker} for a list of candidates, off the request's path; each change of
 * the list, of health or of weights asks for a new picker, which is then swapped in whole.
 *
 * <p>An instance belongs to one service. {@link #picker} is called by one thread at a time; what it returns is used by
 * all.
 *
 * <p>A user's own strategy implements this with a public constructor without arguments and is named in the
 * configuration by its class name, or by its {@link #name()} when {@link java.util.ServiceLoader} finds it.
 */
public interface Strategy {
    /** The name in configuration and snapshots ({@code wrr}). */
    String name();

    /**
     * Builds the picker for the candidates of this context, of which there is at least one.
     *
     * <p>A strategy that hashes builds the same table for the same set of ids and weights, whatever their order.
     */
    Picker picker(PickerContext context);

    /**
     * Whether {@link Candidate#weight()} is a server's share of the requests. Where it is not, weights stay as configured
     * while a server warms up, and no picker is built for its steps. True unless overridden.
     */
    default boolean sharesByWeight() {
        return true;
    }
}
