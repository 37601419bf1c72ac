package io.fairlead.gateway;

/** The command line cannot be followed; the message says why in one line. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
