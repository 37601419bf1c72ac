package io.fairlead.benchmarks.proxy;

import java.io.IOException;

/** Puts a proxy under load. */
interface Load {
    /** So many connections, each of which sends its next request when the answer to the one before is there. */
    int CONNECTIONS = 32;

    /** What makes the load, for the page. */
    String name();

    /**
     * Loads a port of 127.0.0.1.
     *
     * @throws IOException it could not be done, or an answer was wrong
     */
    Result run(int port, Case what, int millis) throws IOException, InterruptedException;

    /**
     * What came of it.
     *
     * @param requests answered
     * @param bytes of all answers, heads with them
     * @param seconds that it took
     * @param p50Micros what half of the answers were quicker than
     * @param p99Micros what 99 of 100 were quicker than
     */
    record Result(long requests, long bytes, double seconds, double p50Micros, double p99Micros) {}
}
