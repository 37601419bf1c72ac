package io.fairlead.strategy;

import io.fairlead.Tried;
import java.util.Objects;

/**
 * A hash strategy's picker, asked with a hash in place of a request, so that the look-up is measured without the way from
 * the key's text to its hash. It stands in this package because that way in is nobody's but the benchmarks'.
 *
 * <p>Safe for use from any thread.
 */
public final class PrehashedPicker {
    private final HashPicker picker;

    /**
     * Wraps a picker.
     *
     * @throws IllegalArgumentException it is not that of a hash strategy
     */
    public PrehashedPicker(Picker picker) {
        if (!(picker instanceof HashPicker hashing)) {
            throw new IllegalArgumentException("not a picker that hashes: " + picker.getClass());
        }
        this.picker = hashing;
    }

    /** Picks for a key of this hash. */
    public Candidate pick(long hash) {
        return Objects.requireNonNull(picker.pick(hash, Tried.NONE));
    }
}
