package io.fairlead.strategy;

import java.util.Collections;
import java.util.Map;

/**
 * Where one server stands in a smooth sequence when a new list takes over.
 *
 * <p>Immutable.
 */
final class SmoothPlace {
    /** The word of {@link EffectiveWeights} in units of the scale. */
    private final long effective;
    /** The current value, in units of the scale. */
    private final long current;
    /** How many units stand for one of a configured weight; see {@link PickerContext#weightScale()}. */
    private final int scale;

    SmoothPlace(long current, long effective, int scale) {
        this.current = current;
        this.effective = effective;
        this.scale = scale;
    }

    /** The current value in units of another scale, not rounded. */
    double current(int otherScale) {
        return otherScale == scale ? current : (double) current * otherScale / scale;
    }

    /** The word of effective weights in units of another scale. */
    long effective(int otherScale) {
        return otherScale == scale ? effective : EffectiveWeights.scaled(effective, scale, otherScale);
    }

    static Map<String, SmoothPlace> none() {
        return Collections.emptyMap();
    }
}
