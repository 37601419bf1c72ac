package io.fairlead;

/** No server of a service can be used: all are down, ejected or fenced, or the list is empty. */
public final class NoEndpointException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String service;

    /**
     * Makes the exception for one service.
     *
     * @param service the service's name, for {@link #service()} and the message
     */
    public NoEndpointException(String service) {
        // An everyday answer under load: the stack would cost more than the answer and says nothing.
        super("no server of service '" + service + "' can be used", null, false, false);
        this.service = service;
    }

    /** The name of the service that has no server left. */
    public String service() {
        return service;
    }
}
