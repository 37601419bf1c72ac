package io.fairlead.servlet.middleware;

/**
 * Something that is done to the requests of a router on their way to the service, and to the answers on their way back:
 * one of those that the configuration names, or code of the user's own.
 *
 * <p>Immutable, but for counters and the like; safe for use from any thread.
 */
@FunctionalInterface
public interface Middleware {
    /**
     * Changes the request before it is sent, or answers it. Called in order on the container's thread, and not after one
     * before has answered; it must not block. When it throws, the client gets a 500 of the proxy's own.
     */
    void apply(RoutedRequest request);

    /**
     * Whether it has learnt something that it is to keep when the file is loaded anew and its own part of the
     * configuration has not changed.
     */
    default boolean keepsState() {
        return false;
    }

    /**
     * Whether {@link #apply} is done at once: it computes nothing that takes longer than a small part of a millisecond, and
     * waits for nothing. Where all are quick, the gateway handles requests on the threads that serve its connections.
     */
    default boolean isQuick() {
        return true;
    }
}
