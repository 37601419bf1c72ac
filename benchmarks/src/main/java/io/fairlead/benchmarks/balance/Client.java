package io.fairlead.benchmarks.balance;

import io.fairlead.RequestFacts;

/**
 * A request of which the client's address is known.
 *
 * @param remoteAddress the address
 */
record Client(String remoteAddress) implements RequestFacts {
    /** The client of this number: a different address for each of the first 16 million. */
    static Client number(int number) {
        return new Client("10." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255));
    }
}
