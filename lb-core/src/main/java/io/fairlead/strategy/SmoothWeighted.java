package io.fairlead.strategy;

import java.util.Map;

/**
 * {@code wrr}: smooth weighted round robin, the sequence of nginx's upstream module: each pick adds every weight to its
 * server's current value, takes the server with the greatest, the first of equals, and takes the sum of the weights off
 * it. Weights 5, 1, 1 give a a b a c a a.
 *
 * <p>The sequence is laid out when the list changes ({@link SmoothSequence}), so that a pick is one increment and two
 * reads whatever the number of servers. A new list takes over the current values by id, those of servers that are away
 * for the moment included: the sequence goes on where it was, as nginx's does.
 *
 * <p>A server whose requests fail has a lower effective weight for a while; see {@link EffectiveWeights}.
 */
final class SmoothWeighted implements Strategy {
    @Override
    public String name() {
        return "wrr";
    }

    @Override
    public Picker picker(PickerContext context) {
        Candidate[] servers = Servers.array(context.candidates());
        int[] weights = Servers.weights(servers);
        Picker previous = context.previous();
        Map<String, SmoothPlace> places =
                previous instanceof SmoothPicker ? ((SmoothPicker) previous).places() : SmoothPlace.none();
        return SmoothPicker.of(servers, weights, context.weightScale(), places, context.failures());
    }
}
