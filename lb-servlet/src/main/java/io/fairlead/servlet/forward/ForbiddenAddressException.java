package io.fairlead.servlet.forward;

import java.io.IOException;

/** A host that is allowed has only addresses that it may not have. */
public final class ForbiddenAddressException extends IOException {
    private static final long serialVersionUID = 1L;

    ForbiddenAddressException(String host) {
        super("'" + host + "' has no address that may be forwarded to");
    }
}
