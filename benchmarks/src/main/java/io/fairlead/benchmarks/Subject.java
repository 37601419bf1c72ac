package io.fairlead.benchmarks;

/** Something that picks, ready to be measured. Safe for use from any thread. */
@FunctionalInterface
public interface Subject {
    /**
     * Picks once.
     *
     * @param key what the request is hashed by; those that do not hash ignore it
     * @return whatever the picked server is to the subject
     */
    Object pick(Key key);
}
