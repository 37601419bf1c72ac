package io.fairlead.agent.route;

/**
 * A connection that an exchange holds until its answer's body has ended.
 *
 * <p>Safe for use from any thread.
 */
public final class Held {
    final Exchange exchange;
    volatile boolean released;

    Held(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Whether it has been given back or closed. */
    public boolean isReleased() {
        return released;
    }
}
