package io.fairlead.strategy;

import io.fairlead.Ticker;

/** What a request to a server would cost, by what is known of the server now. Stateless. */
interface Cost {
    /**
     * The cost.
     *
     * @param weight the server's weight, at least 1
     * @param now what {@link #now} gave for this pick
     */
    double of(Candidate server, int weight, long now);

    /** The moment for which costs are compared; whatever number where time has no part in them. */
    long now(Ticker ticker);
}
