package io.fairlead.benchmarks.simulation;

import io.fairlead.RequestFacts;

/**
 * What a client's request tells of itself.
 *
 * @param remoteAddress the client's address
 * @param method the method in upper case
 */
record Client(String remoteAddress, String method) implements RequestFacts {
    /** A request of the client of this number, from 0 to 65,535. */
    static Client number(int number, String method) {
        return new Client("10.1." + (number >> 8) + "." + (number & 255), method);
    }
}
