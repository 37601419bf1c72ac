package io.fairlead.servlet.routing;

/** A condition on a request. Immutable; safe for use from any thread. */
@FunctionalInterface
interface Rule {
    /**
     * Whether the request meets the condition.
     *
     * @param path the request's path in its {@linkplain PathForm#normal normal form}
     */
    boolean matches(RouteFacts request, String path);
}
