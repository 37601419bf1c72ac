package io.fairlead;

import io.fairlead.retry.Hedging;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request under way to the server that was picked for it. From the pick on the server counts one request in flight
 * more, until one of the ending methods is called; the first of them counts, the others do nothing, so that a callback
 * that fires twice does no harm. A pick that is never ended is a leak.
 *
 * <p>Safe for use from any thread.
 */
public interface Pick {
    /** The server that the request goes to. */
    Endpoint endpoint();

    /** The name of the service whose server this is: of the inner one where services are made of services. */
    String service();

    /** How that service wants its servers to be spoken to. */
    ServiceSettings settings();

    /** Whether the server was picked since the client is kept on it by a cookie. */
    default boolean isKept() {
        return false;
    }

    /**
     * The values of {@code Set-Cookie} to be added to the answer, so that the client comes to the same server again; for
     * proxies. Empty where the service does not keep its clients, or the client has its cookie already.
     */
    default List<String> setCookies() {
        return Collections.emptyList();
    }

    /**
     * Adds the copies of this request that are to be made for mirrors, on the way to this server: for adapters that make
     * copies. Called for every pick of one request; a service that has been asked by an earlier one adds nothing.
     *
     * @param before those of the picks before; null: none
     * @return those and what this pick adds; null where there is no mirror on the way
     */
    default @Nullable MirrorCopies copies(@Nullable MirrorCopies before) {
        return before;
    }

    /**
     * Says that the head of an answer has arrived: the server can be connected to, and its latency is known, although
     * the request is in flight until the body's end. Optional; only the first call counts.
     */
    void responded();

    /**
     * As {@link #responded()}, and says what kind of answer it is: a status of 500 or above says nothing of how fast the
     * server is when it works.
     *
     * @param status the HTTP status; 0: not known
     */
    default void responded(int status) {
        responded();
    }

    /** Ends the pick. Only the first end of a pick counts. */
    void done(Outcome outcome);

    /** Ends the pick: the request was answered. */
    default void success() {
        done(Outcome.success());
    }

    /**
     * Ends the pick: the request failed.
     *
     * @param cause what happened; see {@link Outcome#failure} for what each exception counts as
     */
    default void failure(Throwable cause) {
        done(Outcome.failure(cause));
    }

    /** Ends the pick: the caller gave up, which says nothing about the server. */
    default void cancel() {
        done(Outcome.cancelled());
    }

    /**
     * Ends the pick: a copy of the request was answered by another server first. That is no failure; but where this
     * server has not answered yet, its latency is at least the time that has passed.
     */
    default void outrun() {
        cancel();
    }

    /** What the service of this server knows for hedging; null: its requests are not hedged. */
    default @Nullable Hedging hedging() {
        return null;
    }
}
