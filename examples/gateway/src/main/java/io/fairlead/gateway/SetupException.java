package io.fairlead.gateway;

/**
 * What the command line points to cannot be used; the message says in one line what and why. What else is wrong beside it is
 * told by those that it has suppressed.
 */
final class SetupException extends Exception {
    private static final long serialVersionUID = 1L;

    SetupException(String message) {
        super(message);
    }

    SetupException(String message, Throwable cause) {
        super(message, cause);
    }
}
