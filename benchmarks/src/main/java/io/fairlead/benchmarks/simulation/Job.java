package io.fairlead.benchmarks.simulation;

/** A request that has reached a server. At most one of these is called, at most once; if none is, the server is silent. */
interface Job {
    /** The server sends an answer of this HTTP status. */
    void answer(int status);

    /** The connection breaks before an answer. */
    void broken();
}
