package io.fairlead.agent.it;

import io.fairlead.agent.it.Backend.Request;
import java.io.IOException;
import java.util.List;

/** A server on a port of its own, which shows the requests that came. */
interface TestServer extends AutoCloseable {
    /** Host and port. */
    String authority();

    /** Scheme, host and port. */
    String url();

    /** The requests so far. */
    List<Request> requests();

    /** How many connections there have been. */
    int connections();

    /** How many connections are open, as far as this side has heard. */
    int openConnections();

    /** Stops listening and ends its side of every connection; the clients' sides stay open until they end theirs. */
    void hangUp() throws IOException;

    /** Stops listening and breaks every connection. */
    @Override
    void close() throws IOException;
}
