package io.fairlead.limit;

import io.fairlead.NoEndpointException;
import io.fairlead.Pick;

/**
 * A request that waits for a place at a server. It is told once, by one of the two, on whatever thread made the place or
 * on that of the timers: it must not block.
 */
public interface Entrant {
    /** There is a place; who is told ends the pick. */
    void admitted(Pick pick);

    /** There will be none: the time ran out, no server can be used any more, or the service is closed. */
    void refused(NoEndpointException why);
}
