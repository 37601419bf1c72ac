package io.fairlead.servlet.middleware;

/**
 * Something that is done to the requests of a router on their way to the service.
 *
 * <p>Immutable; safe for use from any thread.
 */
@FunctionalInterface
public interface Middleware {
    /** Changes the request before it is sent. */
    void apply(RoutedRequest request);
}
