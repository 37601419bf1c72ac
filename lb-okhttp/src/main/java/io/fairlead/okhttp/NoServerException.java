package io.fairlead.okhttp;

import io.fairlead.NoEndpointException;
import java.io.IOException;

/** A call by a service's name for which no server can be used: all are down, ejected or fenced, or there is none. */
public final class NoServerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String service;

    NoServerException(NoEndpointException cause) {
        super(cause.getMessage(), cause);
        this.service = cause.service();
    }

    /** The name of the service. */
    public String service() {
        return service;
    }
}
