package io.fairlead.strategy;

/** What a request to a server would cost, by what is known of the server now. Stateless. */
interface Cost {
    /**
     * The cost at this moment, never negative.
     *
     * @param weight the server's weight over the common divisor of all, at least 1
     * @param now this moment where time has a part in the cost, else anything
     */
    double of(Candidate server, int weight, long now);

    /** Whether time has a part in it. */
    boolean isTimed();
}
