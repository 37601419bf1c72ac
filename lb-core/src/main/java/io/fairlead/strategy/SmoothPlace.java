package io.fairlead.strategy;

import java.util.Collections;
import java.util.Map;

/**
 * Where one server stands in a smooth sequence when a new list takes over.
 *
 * <p>Immutable.
 */
final class SmoothPlace {
    /** The current value, in units of the weights. */
    final long current;
    /** The word of {@link EffectiveWeights}. */
    final long effective;

    SmoothPlace(long current, long effective) {
        this.current = current;
        this.effective = effective;
    }

    static Map<String, SmoothPlace> none() {
        return Collections.emptyMap();
    }
}
