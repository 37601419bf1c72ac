package io.fairlead.strategy;

/** What a request to a server would cost, by what is known of the server now. Stateless. */
interface Cost {
    /**
     * The cost at this moment, never negative.
     *
     * @param weight the server's weight, at least 1
     */
    double of(Candidate server, int weight, long now);

    /** What the cost is at least, whatever the moment; the cost itself while the server has nothing under way. */
    double atLeast(Candidate server, int weight);

    /** Whether time has a part in it. */
    boolean isTimed();
}
