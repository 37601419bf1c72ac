package io.fairlead.gateway;

import java.util.List;

/** The command line cannot be followed; says why, in a line for each mistake. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Nobody writes it anywhere.
    private final List<String> mistakes;

    UsageException(List<String> mistakes) {
        super(String.join("\n", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** At least one, in the order in which they were found. */
    List<String> mistakes() {
        return mistakes;
    }
}
