package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import java.util.List;

/**
 * The key of a hash strategy: a text with variables in nginx's form, put together for each request and hashed to 64
 * bits without allocating.
 *
 * <p>Each part is hashed by XXH64 over its UTF-8 form, seeded with the hash of the parts before it, so that the hash of
 * a single variable is the XXH64 of its value. A variable that is empty adds nothing.
 *
 * <p>Immutable.
 */
public final class HashKey {
    private final String text;
    private final KeyPart[] parts;

    private final HashFunction function;

    private HashKey(String text, KeyPart[] parts, HashFunction function) {
        this.text = text;
        this.parts = parts;
        this.function = function;
    }

    /**
     * Reads a key.
     *
     * @param text literal text and the variables {@code $remote_addr}, {@code $host}, {@code $uri} (the path as it
     *     came), {@code $request_uri} (path and query), {@code $request_method}, {@code $args} (the query),
     *     {@code $arg_NAME} (the first parameter of that name, without case, as it came), {@code $http_NAME} (a header
     *     field, its dashes written as underscores), {@code $cookie_NAME}. A name may stand in braces, {@code ${host}},
     *     where a letter, digit or underscore follows it
     * @throws IllegalArgumentException a variable is not known, or there is none; the message names it
     */
    public static HashKey parse(String text) {
        List<KeyPart> parts = HashKeyParser.parse(text);
        return new HashKey(text, parts.toArray(new KeyPart[0]), HashFunction.XXHASH64);
    }

    /** The hash of this request's key; of its client address where every variable is empty. */
    public long hash(RequestFacts request) {
        long begin = function.begin();
        long state = begin;
        boolean empty = true;
        for (KeyPart part : parts) {
            long next = part.append(request, function, state);
            empty &= part.isLiteral() || next == state;
            state = next;
        }
        return function.end(empty ? KeyPart.address(request, function, begin) : state);
    }

    /** The same key, hashed by another function. */
    HashKey hashedBy(HashFunction other) {
        return new HashKey(text, parts, other);
    }

    @Override
    public String toString() {
        return text;
    }
}
