package io.fairlead.config;

/** What is told of a file that is not wrong. */
final class Notices {
    /** Said of what is read and checked, but not done yet, so that nobody relies on it. */
    static final String NO_EFFECT = "has no effect in this version";

    private Notices() {}
}
