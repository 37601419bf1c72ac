package io.fairlead.benchmarks.okhttp;

/** A client that spreads its calls over several servers. */
interface Client extends AutoCloseable {
    /**
     * Sends a GET and reads the answer's body.
     *
     * @return the bytes of the body
     */
    int call() throws Exception;

    @Override
    void close();
}
