package io.fairlead.benchmarks.proxy;

import java.io.IOException;

/**
 * One of those that are measured.
 *
 * @param name as it stands in the tables
 * @param starter starts it before a server
 */
record Contender(String name, Starter starter) {
    /** Starts a proxy. */
    interface Starter {
        /**
         * Starts a process of its own.
         *
         * @param originPort the port of the server on 127.0.0.1
         * @throws IOException it could not be started, or does not listen
         */
        ProxyProcess start(int originPort) throws IOException, InterruptedException;
    }
}
