package io.fairlead;

/**
 * No server of a service can be used: all are down, ejected or fenced, or the list is empty; or those that can be are at
 * their limits.
 */
public final class NoEndpointException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String service;
    private final boolean overloaded;

    /**
     * Makes the exception for one service.
     *
     * @param service the service's name, for {@link #service()} and the message
     */
    public NoEndpointException(String service) {
        this(service, false);
    }

    /**
     * Makes the exception for one service.
     *
     * @param service the service's name, for {@link #service()} and the message
     * @param overloaded whether there are servers, and only their limits or the service's stand against using them
     */
    public NoEndpointException(String service, boolean overloaded) {
        // An everyday answer under load: the stack would cost more than the answer and says nothing.
        super(
                overloaded
                        ? "service '" + service + "' has as many requests under way as it may have"
                        : "no server of service '" + service + "' can be used",
                null,
                false,
                false);
        this.service = service;
        this.overloaded = overloaded;
    }

    /** Whether there are servers, and only limits stand against using them. */
    public boolean isOverloaded() {
        return overloaded;
    }

    /** The name of the service that has no server left. */
    public String service() {
        return service;
    }
}
