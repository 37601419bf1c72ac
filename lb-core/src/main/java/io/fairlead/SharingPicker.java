package io.fairlead;

import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.RandomSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deals requests out to the pickers of several groups of servers, each of which has a part of them. A request whose group
 * has no server left for it goes to the others, the first ones first.
 */
final class SharingPicker implements Picker {
    private final Picker[] pickers;
    /** The upper bound of each group's part, in (0, 1]. */
    private final double[] bounds;

    private final RandomSource random;

    /**
     * Shares between these.
     *
     * @param parts the part of each, with a sum of 1
     */
    SharingPicker(List<Picker> pickers, List<Double> parts, RandomSource random) {
        this.pickers = pickers.toArray(new Picker[0]);
        this.random = random;
        bounds = new double[this.pickers.length];
        double sum = 0;
        int last = 0;
        for (int i = 0; i < bounds.length; i++) {
            sum += parts.get(i);
            bounds[i] = sum;
            last = parts.get(i) > 0 ? i : last;
        }
        // The sum may be a little less than 1; the rest must not fall to a group without a part.
        bounds[last] = 1;
    }

    @Override
    public @Nullable Candidate pick(RequestFacts request, Tried tried) {
        double place = (pickers[0].draw(request, random) >>> 11) * 0x1p-53;
        int group = 0;
        while (group < bounds.length - 1 && place >= bounds[group]) {
            group++;
        }
        Candidate candidate = pickers[group].pick(request, tried);
        for (int i = 0; candidate == null && i < pickers.length; i++) {
            candidate = i == group ? null : pickers[i].pick(request, tried);
        }
        return candidate;
    }
}
