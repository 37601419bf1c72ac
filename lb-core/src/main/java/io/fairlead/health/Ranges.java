package io.fairlead.health;

/** Checks of the options' values. */
final class Ranges {
    private Ranges() {}

    /** The value, which must be within these bounds, both of them allowed. */
    static int check(int value, int min, int max, String option) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + " must be "
                    + (max == Integer.MAX_VALUE ? "at least " + min : "from " + min + " to " + max) + ", not " + value);
        }
        return value;
    }
}
