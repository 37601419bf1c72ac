package io.fairlead.servlet.middleware;

import io.fairlead.retry.RetryPolicy;
import io.fairlead.servlet.routing.RouteFacts;
import org.jspecify.annotations.Nullable;

/**
 * A request between its router and its service: what {@link Middleware}s may ask of it, what they may change before it is
 * sent, and where they say that they want to see its answer or its end.
 *
 * <p>Belongs to one request, and is used by the container's thread while the middlewares are applied; not afterwards,
 * except for what has been read out of it.
 */
public interface RoutedRequest {
    /** What the client sent, unchanged; to be asked while the middlewares are applied, and not later. */
    RouteFacts facts();

    /** The name of the router that matched; empty where there are no routers and the only service gets everything. */
    String router();

    /** The name of the service that the router leads to. */
    String service();

    /** Whether the client spoke https, by its own connection or the word of a trusted proxy. */
    default boolean isSecure() {
        return facts().scheme().equals("https");
    }

    /** The path to be sent, escapes as they came, without the query. */
    String path();

    /**
     * Sets the path to be sent, as it is given. Where the one ends with the other, what the server says of its paths is
     * translated back for the client.
     *
     * @throws IllegalArgumentException it does not begin with a slash; or has a blank, a control character or a question
     *     mark in it, or a segment that some server could read as {@code ..}
     */
    void setPath(String path);

    /**
     * As {@link #setPath}, with a path that has nothing to do with the one before: nothing that the server says of its
     * paths can be translated back.
     */
    void replacePath(String path);

    /** The query to be sent, without the question mark; null: none. */
    @Nullable
    String query();

    /**
     * Sets the query to be sent, without the question mark, as it is given; null: none.
     *
     * @throws IllegalArgumentException it has a blank or a control character in it
     */
    void setQuery(@Nullable String query);

    /** What has been cut off the beginning of the path so far; empty: nothing. */
    String strippedPrefix();

    /** Says that this much has been cut off the path, for {@code X-Forwarded-Prefix}. */
    void addStrippedPrefix(String prefix);

    /** Says that the path cannot be changed as the middleware should, since servers read it in more than one way. */
    void refusePath();

    /**
     * Puts a field in the place of those of that name in the request as it is sent, after the proxy's own fields have been
     * made; {@code Host} too. Of that name is what differs in underscores for hyphens, too, since many servers take the
     * one for the other.
     *
     * @throws IllegalArgumentException the name is no token, or belongs to the connection (RFC 9110, 7.6.1) or to the
     *     framing; or the value holds a control character
     */
    void setField(String name, String value);

    /** As {@link #setField}, beside those of that name. */
    void addField(String name, String value);

    /** Takes the fields of that name out of the request as it is sent; throws as {@link #setField}. */
    void removeField(String name);

    /**
     * Answers the request: the middlewares behind this one are not applied, and nothing is sent to a server. Hooks on the
     * answer that those before this one have added see it as they see every other.
     */
    void answer(OwnAnswer answer);

    /** Whether {@link #answer} or {@link #refusePath()} has been called. */
    boolean isAnswered();

    /**
     * Lets the hook see the answer's head, be it a server's or the proxy's own, before anything of it is sent. Hooks are
     * called in the reverse order of the middlewares.
     */
    void onAnswer(AnswerHook hook);

    /**
     * Runs when the request has ended: its answer has been handed over whole or broken off, or the client is gone. Exactly
     * once, whatever happened, on any thread; it must not block. What it throws is logged.
     */
    void onEnd(Runnable end);

    /**
     * Refuses the request with 413 when its body turns out to be longer than so many bytes; the smallest of several counts.
     */
    void limitBody(long maxBytes);

    /**
     * Reads so many bytes of the body before a server is chosen, and keeps them, so that they can be sent again; a longer
     * body is sent on from there, and not again. The greatest of several counts.
     */
    void bufferBody(int bytes);

    /** Sends the request again by this policy in place of the service's; the last of several counts. */
    void retryBy(RetryPolicy policy);
}
