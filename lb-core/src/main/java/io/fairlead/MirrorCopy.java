package io.fairlead;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One copy of one request for one mirror, which counts as under way until it is ended: by its pick's end once it has been
 * sent, else by {@link #drop()}. A copy that is never ended is a leak.
 *
 * <p>Safe for use from any thread.
 */
public interface MirrorCopy {
    /** The mirror's name. */
    String mirror();

    /** Whether the request's body is copied; else the copy has none. */
    boolean isWithBody();

    /** How many bytes the body may have; if it has more, the copy is to be dropped. */
    long maxBodySize();

    /** How long the copy may take from its sending to the end of its answer. */
    Duration timeout();

    /**
     * Picks the server that the copy goes to; the pick's end is the copy's. There is no second try.
     *
     * @return null when the mirror has no server, which ends the copy, or when it has ended
     */
    @Nullable
    Pick pick(RequestFacts request);

    /** Ends a copy that is not sent; does nothing when it has been sent, or has ended. */
    void drop();
}
