package io.fairlead.gateway;

/** A port cannot be had; the message says in one line which and why. */
final class BindFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    BindFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
